// What draws in three dimensions: a script of its own, most of which is three.js. It comes packed with lathe's module and
// is `latheViewer` in the page.

export { createPicture } from "../../../../scripts/viewer/src/picture/index.js";
