import assert from "node:assert/strict";
import {
  AdbDeviceNotFoundError,
  AdbDeviceOfflineError,
  AdbDeviceUnauthorizedError,
  AdbRefusedError,
  errorOfFailure,
} from "./adb_error.ts";

Deno.test("errorOfFailure() distinguishes adb's sentences", () => {
  const cases: [string, new (text: string) => Error][] = [
    ["device 'R58M' not found", AdbDeviceNotFoundError],
    ["no devices/emulators found", AdbDeviceNotFoundError],
    ["device offline", AdbDeviceOfflineError],
    ["device still authorizing", AdbDeviceOfflineError],
    ["device still connecting", AdbDeviceOfflineError],
    ["device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set", AdbDeviceUnauthorizedError],
    ["closed", AdbRefusedError],
  ];
  for (const [message, expected] of cases) {
    const error = errorOfFailure("host:transport:R58M", message);
    assert.ok(error instanceof expected, message);
    assert.match(error.message, /host:transport:R58M/);
  }
});
