/** Headings of the administrators' screens, and what is said until they are built. */
export const ADMIN = {
  headings: {
    "/admin": "דשבורד ניהול",
    "/admin/devices": "ניהול מכשירים",
    "/admin/anti-ban": "ניטור אנטי-באן",
    "/admin/files": "תור קבצים",
    "/admin/users": "ניהול משתמשים",
    "/admin/settings": "הגדרות מערכת",
  } as Record<string, string>,
  notBuilt: "המסך הזה עדיין לא נבנה בגרסה הזו.",
  whatWorks: "מה שכבר עובד: כניסה, יצירת קמפיין, טעינת אנשי קשר, שליחה ומעקב חי אחרי כל נמען.",
  toCampaigns: "לקמפיינים שלי",
};
