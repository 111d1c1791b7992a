#include "model/clip.h"

double model_when_frame(const model_when *when, const model_clip *clip)
{
    if (!when->is_time)
        return when->at;
    if (clip->frame_count < 2 || !(clip->duration > 0))
        return 0;
    return when->at / clip->duration * (double)(clip->frame_count - 1);
}
