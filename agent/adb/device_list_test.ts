import assert from "node:assert/strict";
import { parseDeviceList } from "./device_list.ts";

// In the form of AOSP transport.cpp, append_transport().
const CAPTURED =
  `R58M123ABC             device usb:1-4 product:a14xx model:SM_A145F device:a14x transport_id:3
192.168.1.20:5555      offline transport_id:12
emulator-5554          unauthorized usb:1-2 transport_id:4
04e8:6860              no permissions (missing udev rules? user is in the plugdev group); see [http://developer.android.com/tools/device.html] usb:3-1 transport_id:5
`;

Deno.test("parseDeviceList() reads lines of every state", () => {
  assert.deepEqual(parseDeviceList(CAPTURED), [
    { serial: "R58M123ABC", state: "device", transportId: 3, model: "SM_A145F", product: "a14xx" },
    { serial: "192.168.1.20:5555", state: "offline", transportId: 12 },
    { serial: "emulator-5554", state: "unauthorized", transportId: 4 },
    { serial: "04e8:6860", state: "no permissions", transportId: 5 },
  ]);
});

Deno.test("parseDeviceList() reads an empty text as no phones, and quotes a line it cannot read", () => {
  assert.deepEqual(parseDeviceList(""), []);
  assert.throws(() => parseDeviceList("lonely\n"), /lonely/);
});
