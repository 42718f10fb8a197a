export const LOCKED = {
  locked: "יותר מדי ניסיונות. אפשר לנסות שוב בעוד",
  over: "אפשר לנסות שוב.",
};
