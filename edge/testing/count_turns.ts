/** Counts the turns of the event loop, as a waiting request would see them, until disposed. */
export function countTurns(): Disposable & { readonly count: number } {
  let count = 0;
  let timer = setTimeout(function turned() {
    count++;
    timer = setTimeout(turned, 0);
  }, 0);
  return {
    get count() {
      return count;
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
