// Runs before anything is drawn: the theme and the deck that somebody has chosen.
(() => {
  const root = document.documentElement;
  const read = (name) => {
    try {
      return localStorage.getItem(`pitboss.${name}`);
    } catch {
      return null;
    }
  };
  const pale = matchMedia("(prefers-color-scheme: light)").matches;
  root.dataset.theme = read("theme") || (pale ? "pale" : "night");
  root.dataset.deck = read("deck") || "two";
})();
