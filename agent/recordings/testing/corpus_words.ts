/** The words on the screens of the corpus, by language. Arabic and Russian dialogs were seen by nobody here. */

export const LANGUAGES = ["he", "en", "ar", "ru"] as const;
export type CorpusLanguage = (typeof LANGUAGES)[number];

export interface CorpusWords {
  message: string;
  caption: string;
  send: string;
  voice: string;
  attach: string;
  camera: string;
  emoji: string;
  up: string;
  voiceCall: string;
  more: string;
  today: string;
  sent: string;
  read: string;
  readMore: string;
  ok: string;
  cancel: string;
  notNow: string;
  draft: string;
  earlier: string;
  theirs: string;
  notOnApp: (number: string) => string;
  share: (number: string) => string;
  banned: string;
  restricted: string;
  verify: string;
  update: string;
  storage: string;
  notifications: string;
  contacts: string;
  backup: string;
  rate: string;
  hangs: string;
  pin: string;
}

export const WORDS: Record<CorpusLanguage, CorpusWords> = {
  en: {
    message: "Message",
    caption: "Add a caption…",
    send: "Send",
    voice: "Voice message, button. Double tap and hold to record.",
    attach: "Attach",
    camera: "Camera",
    emoji: "Emoji",
    up: "Navigate up",
    voiceCall: "Voice call",
    more: "More options",
    today: "Today",
    sent: "Sent",
    read: "Read",
    readMore: "Read more",
    ok: "OK",
    cancel: "Cancel",
    notNow: "Not now",
    draft: "Hello, the delivery comes tomorrow.\nThanks & see you 🙂",
    earlier: "Good morning from the shop",
    theirs: "When do you open?",
    notOnApp: (number) => `The phone number ${number} isn't on WhatsApp.`,
    share: (number) => `Send to ${number}?`,
    banned: "This account is not allowed to use WhatsApp",
    restricted: "Your account is temporarily restricted from starting new chats",
    verify: "Verify your phone number",
    update: "Update WhatsApp. This version of WhatsApp expired.",
    storage: "Your device's storage is almost full. Free up space to keep using WhatsApp.",
    notifications: "Allow WhatsApp to send you notifications?",
    contacts: "Allow WhatsApp to access your contacts?",
    backup: "Back up your chats and media to your Google Account",
    rate: "Rate WhatsApp. Tell us what you think.",
    hangs: "WhatsApp isn't responding",
    pin: "Enter PIN",
  },
  he: {
    message: "הודעה",
    caption: "הוספת כיתוב…",
    send: "שליחה",
    voice: "הודעה קולית",
    attach: "צירוף",
    camera: "מצלמה",
    emoji: "אמוג'י",
    up: "ניווט למעלה",
    voiceCall: "שיחה קולית",
    more: "אפשרויות נוספות",
    today: "היום",
    sent: "נשלחה",
    read: "נקראה",
    readMore: "קראו עוד",
    ok: "אישור",
    cancel: "ביטול",
    notNow: "לא עכשיו",
    draft: "שלום, המשלוח מגיע מחר.\nתודה ולהתראות 🙂",
    earlier: "בוקר טוב מהחנות",
    theirs: "מתי אתם פותחים?",
    notOnApp: (number) => `מספר הטלפון ${number} לא רשום ב-WhatsApp.`,
    share: (number) => `לשלוח אל ${number}?`,
    banned: "החשבון הזה אינו מורשה להשתמש ב-WhatsApp",
    restricted: "החשבון שלך הוגבל זמנית ולא ניתן לפתוח שיחות חדשות",
    verify: "אימות מספר הטלפון",
    update: "יש לעדכן את WhatsApp. תוקף הגרסה הזו פג.",
    storage: "האחסון במכשיר כמעט מלא. יש לפנות מקום כדי להמשיך להשתמש ב-WhatsApp.",
    notifications: "לאפשר ל-WhatsApp לשלוח לך התראות?",
    contacts: "לאפשר ל-WhatsApp לגשת לאנשי הקשר שלך?",
    backup: "גיבוי השיחות והמדיה לחשבון Google",
    rate: "דירוג של WhatsApp. ספרו לנו מה דעתכם.",
    hangs: "WhatsApp לא מגיבה",
    pin: "יש להזין קוד אימות של המכשיר",
  },
  ar: {
    message: "مراسلة",
    caption: "إضافة شرح…",
    send: "إرسال",
    voice: "رسالة صوتية",
    attach: "إرفاق",
    camera: "الكاميرا",
    emoji: "رموز تعبيرية",
    up: "رجوع",
    voiceCall: "مكالمة صوتية",
    more: "المزيد",
    today: "اليوم",
    sent: "تم الإرسال",
    read: "مقروءة",
    readMore: "قراءة المزيد",
    ok: "موافق",
    cancel: "إلغاء",
    notNow: "لاحقًا",
    draft: "مرحبا، تصل الطلبية غدا.\nشكرا 🙂",
    earlier: "صباح الخير من المتجر",
    theirs: "متى تفتحون؟",
    notOnApp: (number) => `رقم الهاتف ${number} غير مسجل في واتساب.`,
    share: (number) => `الإرسال إلى ${number}؟`,
    banned: "هذا الحساب غير مسموح له باستخدام واتساب",
    restricted: "حسابك مقيد مؤقتًا من بدء دردشات جديدة",
    verify: "تأكيد رقم هاتفك",
    update: "يرجى تحديث واتساب. انتهت صلاحية هذا الإصدار.",
    storage: "مساحة التخزين ممتلئة تقريبا",
    notifications: "هل تريد السماح لتطبيق واتساب بإرسال إشعارات؟",
    contacts: "هل تريد السماح لتطبيق واتساب بالوصول إلى جهات اتصال الجهاز؟",
    backup: "النسخ الاحتياطي للدردشات",
    rate: "تقييم واتساب",
    hangs: "واتساب لا يستجيب",
    pin: "أدخل رقم التعريف الشخصي",
  },
  ru: {
    message: "Сообщение",
    caption: "Добавить подпись…",
    send: "Отправить",
    voice: "Голосовое сообщение",
    attach: "Прикрепить",
    camera: "Камера",
    emoji: "Эмодзи",
    up: "Назад",
    voiceCall: "Аудиозвонок",
    more: "Ещё",
    today: "Сегодня",
    sent: "Отправлено",
    read: "Прочитано",
    readMore: "Читать далее",
    ok: "ОК",
    cancel: "Отмена",
    notNow: "Не сейчас",
    draft: "Здравствуйте, заказ приедет завтра.\nСпасибо 🙂",
    earlier: "Доброе утро из магазина",
    theirs: "Когда вы открываетесь?",
    notOnApp: (number) => `Номер ${number} не зарегистрирован в WhatsApp.`,
    share: (number) => `Отправить ${number}?`,
    banned: "Этот аккаунт не может использовать WhatsApp",
    restricted: "Ваш аккаунт временно ограничен: нельзя начать новые чаты",
    verify: "Подтвердите номер телефона",
    update: "Обновите WhatsApp. Эта версия устарела.",
    storage: "Место на устройстве почти закончилось",
    notifications: "Разрешить приложению WhatsApp отправлять уведомления?",
    contacts: "Разрешить приложению WhatsApp доступ к контактам?",
    backup: "Резервное копирование чатов",
    rate: "Оценить WhatsApp",
    hangs: "Приложение WhatsApp не отвечает",
    pin: "Введите PIN-код",
  },
};
