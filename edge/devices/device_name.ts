/**
 * SQL of the name that people know a device `d` by: its model, with the last four signs of its serial number where
 * another phone is of the same model, and its serial number while the model is not known.
 */
export const DEVICE_NAME = `CASE WHEN d.model = '' THEN d.key
  WHEN EXISTS (SELECT 1 FROM devices twin WHERE twin.model = d.model AND twin.id <> d.id)
    THEN d.model || ' · ' || substr(d.key, -4)
  ELSE d.model END`;
