// What the supervisor's desk says.
export default {
  title: "The desk", table: "Table {name}", all: "All tables", for_staff: "This is for people who act for the house.", not_yours: "You act for the house at other tables.",
  queue: "What needs a person", nothing: "Nothing waits.", tables: "Tables", limits: "Limits", staked: "On the layout", float: "Float",
  agree: "Agree", agree_title: "You are the second person", withdraw: "Withdraw", received: "I have read this", approve: "Read and approved",
  notice: "For the {body}:", floor: "Orders that span tables", floor_about: "Exclusion and notices; the administrator also fills and credits floats (a credit is a fill below zero).",
  next: "Go on", done: "Done.", orders: "Orders by the book", others: "{role} or above orders this.", rounds: "Rounds of this table, for the inspector",
};
