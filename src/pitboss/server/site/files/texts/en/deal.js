// What the dealer's seat says.
export default {
  school: "School table", to_school: "Deal at a school table", game: "Game", players: "Players", with_sides: "They place side wagers",
  school_about: "A table of your own to learn on. Players of the school bet and show what they want; you deal, pay and take. Key in the cards of a real shoe, or draw them here. Nothing is kept, and nobody is paid.",
  open_school: "Open the table", other_school: "Another game", draw_card: "Draw the card", they_show: "They show: {act}",
  title: "Deal", choose: "Tables that a person deals.", none: "No table of this floor is dealt by a person.",
  table: "Deal at {name}", cards: "Cards", trainee: "I decide first", correct: "Correct a card", mishap: "Something went wrong",
  total: "Dealer's total: {total}", not_yours: "This is not your seat",
  do_come_on: "Come on", do_bring_shoe: "The shoe is in", do_wait: "Go on", do_call: "No more bets", do_deal: "Deal",
  do_card: "Go on", do_offers: "Close the offers", do_decide: "Let it pass", do_settle: "All paid and taken", do_clear: "Clear the table",
  do_closed: "Closed", which_suit: "{rank} of which suit?", suit_s: "♠ spades", suit_h: "♥ hearts", suit_d: "♦ diamonds", suit_c: "♣ clubs",
  always: "Every card with its suit", suited: "Rank, then suit.", ranks_only: "Rank keys alone: no wager on the layout looks at suits.",
  cut_card: "The cut card has come out", dealer: "Dealer", nobody: "Nobody", staked: "On the layout", round: "Round",
  payments: "Pay and take", pay_now: "Pay and take now", settled: "Decided already", dealt: "Dealt in this round", draw_or_stand: "Draw or stand?", net_of: "What {wager} on box {box} gains or loses",
  how: "What each wager gains or loses, such as 37.50 or -25; nothing: 0.", answer: "Mark my answer", all_right: "Right.", not_all_right: "Not quite.", you_said: "{given}", but_right: "you said {given}; it is {right}",
  go_on: "Go on", open_desk: "Open it at the supervisor's desk", card_number: "Number of the card in this round", right_card: "The right card",
  who_allows: "A card is corrected by order of somebody else: {role} or above. They open this at their own desk.",
  call_role: "Call {role} or above: this is not yours to order.", whose_order: "{order}: whose order is it?", order_of: "{role} or above.",
};
