/** The edge's version, as screens, figures and the description of its calls have it. */
export const VERSION = "1.0.0";
