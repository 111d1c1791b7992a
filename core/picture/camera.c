#include "picture/raster.h"

#include <math.h>

bool picture_project(const picture_camera *camera, vec3 point, vec3 *out)
{
    vec3 p = mat4_point(&camera->view, point);
    double distance = -p.z, scale = camera->scale;
    if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z))
        return false;
    if (camera->perspective) {
        if (distance <= 0)
            return false;
        scale /= distance;
    }
    *out = (vec3){camera->centre[0] + p.x * scale, camera->centre[1] - p.y * scale, distance};
    return isfinite(out->x) && isfinite(out->y);
}
