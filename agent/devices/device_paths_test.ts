import assert from "node:assert/strict";
import { closedState, isOnNetwork, isWorthShowing, type Path, usablePaths } from "./device_paths.ts";

function path(address: string, given: Partial<Path> = {}): Path {
  return { address, transportId: 1, adbState: "device", failures: 0, isGuessed: false, ...given };
}

Deno.test("isOnNetwork() distinguishes addresses from the serials of cables", () => {
  for (const address of ["192.0.2.7:5555", "[2001:db8::7]:5555", "adb-R58M-x._adb-tls-connect._tcp"]) {
    assert.equal(isOnNetwork(address), true, address);
  }
  for (const serial of ["R58M", "emulator-5554", "0123456789ABCDEF", "a:b"]) {
    assert.equal(isOnNetwork(serial), false, serial);
  }
});

Deno.test("usablePaths() returns open paths: the cable first, and answering ones before silent ones", () => {
  const paths = [path("192.0.2.7:5555"), path("R58M"), path("R59", { adbState: "offline" })];
  assert.deepEqual(usablePaths(paths).map(({ address }) => address), ["R58M", "192.0.2.7:5555"]);
  const deaf = [path("R58M", { failures: 1 }), path("192.0.2.7:5555")];
  assert.deepEqual(usablePaths(deaf).map(({ address }) => address), ["192.0.2.7:5555", "R58M"]);
});

Deno.test("closedState() returns that a person is needed as soon as one path needs one", () => {
  assert.equal(closedState([path("a", { adbState: "offline" })]), "offline");
  assert.equal(closedState([]), "offline");
  for (const adbState of ["unauthorized", "authorizing", "no permissions"]) {
    assert.equal(closedState([path("a", { adbState: "offline" }), path("b", { adbState })]), "unauthorized");
  }
});

Deno.test("isWorthShowing() omits phones that are only connecting", () => {
  const line = (serial: string, state: string) => isWorthShowing({ serial, state, transportId: 1 });
  assert.equal(line("192.0.2.7:5555", "unauthorized"), true);
  assert.equal(line("R58M", "no permissions"), true);
  assert.equal(line("R58M", "recovery"), true);
  assert.equal(line("192.0.2.7:5555", "offline"), false);
  assert.equal(line("R58M", "authorizing"), false);
});
