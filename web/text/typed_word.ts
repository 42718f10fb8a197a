/** Words of a question that asks for a typed word. */
export const TYPED_WORD = {
  label: (word: string) => `להמשך כותבים כאן: ${word}`,
  wrong: (word: string) => `נא לכתוב בדיוק: ${word}`,
};
