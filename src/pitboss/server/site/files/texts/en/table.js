// What the table says.
export default {
  title: "Table {name}",
};
