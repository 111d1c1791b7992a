// The panels of the page, in the order of their tabs. README.md says what a panel is.

import { about } from "./about.js";
import { change } from "./change.js";
import { differences } from "./differences.js";
import { findings } from "./findings.js";
import { info } from "./info.js";
import { prompt } from "./prompt/index.js";
import { scripts } from "./scripts/index.js";

export const PANELS = [prompt, change, findings, differences, info, scripts, about];
