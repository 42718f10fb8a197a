/** Counts how often the event loop turns, as a request that waits for it would see; ends when it is disposed of. */
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
