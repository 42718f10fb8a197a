/** Words before a change, for people who do not see its arrow. */
export const RISE = { rose: "עלייה של", fell: "ירידה של" };
