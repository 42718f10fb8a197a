-- Whether a try of logging in is refused follows from how many there were since the first: nobody kept or asked until
-- when.
ALTER TABLE `login_attempts` DROP COLUMN `blocked_until`;
