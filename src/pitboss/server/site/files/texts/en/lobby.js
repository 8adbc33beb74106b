// What the lobby says.
export default {
  title: "Tables",
};
