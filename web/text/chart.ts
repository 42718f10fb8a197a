/** Words of every chart. */
export const CHART = { asTable: "הצגה כטבלה", asPicture: "הצגה כתרשים" };
