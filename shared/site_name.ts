/** "אתר חיפה"; a site whose own name begins with that word is not called it twice: "אתר הדגמה". */
export function siteCalled(name: string): string {
  return /^אתר(\s|$)/.test(name.trimStart()) ? name.trimStart() : `אתר ${name}`;
}
