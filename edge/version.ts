/** The edge's version for screens, metrics and the API description. */
export const VERSION = "1.0.0";
