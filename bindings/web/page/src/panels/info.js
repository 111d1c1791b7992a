// Info: what `lathe info` prints.

import { make } from "../ui/elements.js";
import { follow } from "./parts.js";

export function info(app) {
  const element = make("div", "info"), text = make("pre");
  text.tabIndex = 0;
  text.setAttribute("aria-label", "Facts about the file");
  element.append(text);
  const { show } = follow(app, element, async (doc, fresh) => {
    let found = "No file is open.";
    try {
      if (doc) found = (await app.call("info", {}, { doc })).result.lines.join("\n");
    } catch (error) {
      found = error.message;
    }
    if (fresh()) text.replaceChildren(...found.split("\n").map((one) => make("span", "", one)));
  });
  return { name: "info", title: "Info", element, show };
}
