// What somebody has chosen on this machine: theme, deck, sound.

export function readPref(name, otherwise = "") {
  try {
    return localStorage.getItem(`pitboss.${name}`) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function keepPref(name, value) {
  try {
    localStorage.setItem(`pitboss.${name}`, value);
  } catch {
    return;
  }
}

export function setTheme(theme) {
  keepPref("theme", theme);
  document.documentElement.dataset.theme = theme;
}

export function setDeck(deck) {
  keepPref("deck", deck);
  document.documentElement.dataset.deck = deck;
}
