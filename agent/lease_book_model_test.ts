/** Random histories of a LeaseBook: crashes, cuts, recalls and a network that loses, repeats and reorders. */
import fc from "fast-check";
import { DEVICES, FATES, LeaseWorld } from "./testing/lease_world.ts";

const device = fc.constantFrom(...DEVICES);
const arrival = fc.constantFrom<"once" | "again" | "lost">("once", "once", "again", "again", "lost");
const end = fc.constantFrom<"temporary" | "for_good">("temporary", "for_good");
const place = fc.nat(5);

/** How often each step is tried; histories come deep only when the usual road is the likely one. */
const step = fc.oneof(
  weigh(8, fc.constant(null), (world) => world.flow()),
  weigh(12, fc.tuple(place, arrival), (world, [at, fate]) => world.arrive("agent", at, fate)),
  weigh(12, fc.tuple(place, arrival), (world, [at, fate]) => world.arrive("edge", at, fate)),
  weigh(6, fc.tuple(device, fc.integer({ min: 1, max: 3 })), (world, args) => world.lease(...args)),
  weigh(12, fc.tuple(device, fc.constantFrom(...FATES), end), (world, args) => world.advance(...args)),
  weigh(1, fc.tuple(device, end), (world, args) => world.finish(...args)),
  weigh(3, fc.constant(null), (world) => world.lookBack()),
  weigh(5, fc.constant(null), (world) => world.report()),
  weigh(3, fc.constant(null), (world) => world.repeatAcks()),
  weigh(4, fc.constant(null), (world) => world.connect()),
  weigh(1, fc.constant(null), (world) => world.disconnect()),
  weigh(1, fc.constant(null), (world) => world.restart()),
  weigh(2, fc.constant(null), (world) => world.expire()),
  weigh(2, fc.nat(1), (world, index) => world.recall(index)),
  weigh(1, device, (world, at) => world.book.giveBack({ device: at }, "device_offline")),
  weigh(
    2,
    fc.constantFrom(1_000, 5_000, 61_000),
    (world, ms) => (world.now += ms, world.monotonic += ms),
  ),
  weigh(1, fc.constantFrom(-3_600_000, 3_600_000), (world, ms) => world.now += ms),
);

function weigh<T>(weight: number, arbitrary: fc.Arbitrary<T>, act: (world: LeaseWorld, args: T) => unknown) {
  const toStep = (args: T) =>
    Object.assign((world: LeaseWorld) => void act(world, args), {
      [fc.toStringMethod]: () => `${act} ${JSON.stringify(args)}`,
    });
  return { weight, arbitrary: arbitrary.map(toStep) };
}

Deno.test("LeaseBook in any history taps an attempt once, never without go, and loses no row", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 80, maxLength: 80, size: "max" }), (steps) => {
      const world = new LeaseWorld();
      world.connect();
      for (const act of steps) {
        act(world);
        world.check();
      }
      world.settle();
    }),
    { numRuns: 300 },
  );
});
