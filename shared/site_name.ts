/** Returns "אתר חיפה"; a name that already begins with that word is not prefixed again: "אתר הדגמה". */
export function siteCalled(name: string): string {
  return /^אתר(\s|$)/.test(name.trimStart()) ? name.trimStart() : `אתר ${name}`;
}

/** Returns a site's name in a client's words, who knows of no sites: "עמדת השליחה ״חיפה״". */
export function stationCalled(name: string): string {
  return `עמדת השליחה ״${name.trim().replace(/^אתר\s+/, "")}״`;
}
