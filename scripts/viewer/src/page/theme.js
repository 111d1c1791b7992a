// Light and dark: as the system is set, until the button says otherwise.

const dark = window.matchMedia("(prefers-color-scheme: dark)");

/** Connects the button. `changed` is called with "light" or "dark", also at once. */
export function connect(button, changed) {
  let chosen = null;
  const apply = () => {
    const name = chosen || (dark.matches ? "dark" : "light");
    document.documentElement.dataset.theme = name;
    button.textContent = name === "dark" ? "Light" : "Dark";
    button.setAttribute("aria-label", name === "dark" ? "Use light colours" : "Use dark colours");
    changed(name);
  };
  button.addEventListener("click", () => {
    chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    apply();
  });
  dark.addEventListener("change", apply);
  apply();
}
