// One stop of the Tab key for many buttons: arrow keys go from one to the next.

/** Lets arrow keys move among the buttons in an element. `leave`, if given, is called for the arrow key before the first. */
export function rove(element, leave) {
  const buttons = () => [...element.querySelectorAll("button")];
  element.addEventListener("focusin", (event) => {
    for (const button of buttons()) button.tabIndex = button === event.target ? 0 : -1;
  });
  element.addEventListener("keydown", (event) => {
    const list = buttons(), at = list.indexOf(event.target);
    const steps = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Home: -at, End: list.length - 1 - at };
    const step = steps[event.key];
    if (step === undefined || at < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (at + step < 0 && leave) leave();
    else if (list[at + step]) list[at + step].focus();
  });
  return {
    /** Call it when there are other buttons. */
    set() {
      buttons().forEach((button, i) => (button.tabIndex = i === 0 ? 0 : -1));
    },
  };
}
