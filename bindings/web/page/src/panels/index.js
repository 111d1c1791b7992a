// The panels of the page, in the order of their tabs. README.md says what a panel is.

import { about } from "./about.js";
import { prompt } from "./prompt/index.js";
import { scripts } from "./scripts/index.js";

export const PANELS = [prompt, scripts, about];
