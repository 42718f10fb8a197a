export const LOCKED = {
  locked: "יותר מדי ניסיונות. אפשר לנסות שוב בעוד",
  minutes: "דקות.",
  over: "אפשר לנסות שוב.",
};
