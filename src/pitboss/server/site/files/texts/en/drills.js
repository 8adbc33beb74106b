// What the drills say.
export default {
  title: "Drills", come_in: "Come in, as a guest if you like: your progress is kept under your name.",
  intro: "Questions about rounds on record. Answer first; then the record says what is right, and by which clause.",
  deal_too: "Or learn it with your hands:", school: "deal at a school table",
  questions: { one: "{count} question", other: "{count} questions" }, progress: "{correct} of {asked} right, {in_a_row} in a row",
  right_of: "{correct} of {asked} right", all: "All topics", so_far: "So far", how: "What each wager gains or loses, such as 37.50 or -25; nothing: 0.",
  net_of: "Gain or loss of {player}'s {wager} on box {box}", mark: "Mark my answer", next: "Next question", right: "Right.", wrong: "Not quite.",
  but: "you said {given}; it is {right}", granted: "Granted", refused: "Refused",
};
