/**
 * SQL: the display name of a device `d`. It is the model, plus the last four characters of the serial number where
 * another phone has the same model. Without a known model it is the serial number.
 */
export const DEVICE_NAME = `CASE WHEN d.model = '' THEN d.key
  WHEN EXISTS (SELECT 1 FROM devices twin WHERE twin.model = d.model AND twin.id <> d.id)
    THEN d.model || ' · ' || substr(d.key, -4)
  ELSE d.model END`;
