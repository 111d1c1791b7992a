// The panels of the page, in the order of their tabs. README.md says what a panel is.

import { about } from "./about.js";

export const PANELS = [about];
