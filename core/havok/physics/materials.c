/* doc:set_materials of a packfile alone: one material of collision by another. */
#include "havok/physics/materials.h"

lathe_result hk_set_materials(lathe_view self, const lathe_source *args, lathe_report *report,
                              lathe_error *err)
{
    hk_rule rule;
    lathe_result r = hk_rule_read(&rule, args, report, err);
    if (r == LATHE_OK && rule.replaces)
        r = hk_replace_material(self.doc, self.doc->parts[self.part].container, &rule, err);
    return r == LATHE_OK ? hk_rule_end(&rule, err) : r;
}
