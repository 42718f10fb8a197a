/**
 * The public words of the app and of Android, in Hebrew, English, Arabic and Russian. A recording keeps these words and
 * no others. A word that is also a common name or tell something about a person does not belong here.
 */

const ENGLISH = `
a about accept access account accounts action add admin again agree all allow allowed already always an and android any
anyone anyway app application apps are as ask at attach attachment available avatar back backup backups banned battery
because been before between block blocked business but button by call calls camera can cancel cannot caption change
chat chats check choose chrome clear close code community confirm connect connected connection contact contacts
continue copy could create data date day days default delete delivered device devices dialog did different digit digits disabled
discard dismiss display do document does don done download draft due edit emoji enable encrypted encryption end
enter error every expired failed fast feedback few file files finish fix for forward from full gallery get go google got
group groups has have help hide home hour hours how if image images in incoming info information input install installed
internet into invalid invite is isn it its just keep keeps keyboard later learn leave less like limit limited link linked
list location lock locked log logged logging login low make manage many media menu message messages messaging messenger
microphone minute minutes missed mobile more mute must navigate need network never new next no not notification
notifications now number of off ok okay old on once online only open opening or other out over own password paste
pause pending permission permissions phone photo photos pick picture pictures pin play please policy preview privacy
problem profile quality quickly quit rate read received recent recently recipient recipients record recording registered
remind reminder remove replace reply report requested required responding restart restore restored restricted restriction
retry review ringtone running save saved scan scheduled screen search second seconds secure security see select selected
send sender sending sent service set settings setup share shared show sign signed sim skip sms something soon sorry space
spam start starting status sticker stickers stop stopped storage store submit support suspended switch system tap
temporarily temporary terms text than that the their them then there these they this time to today too try turn two type
typing unable unavailable unblock undo unknown unlock until up update updated updates upgrade use used user users using ve
verification verified verify version via video view violated violation voice volume wait waiting want warning was web were
what when while why wifi with without work working wrong yes yesterday you your
am pm gb mb kb whatsapp sd t s ll re
`;

const HEBREW = `
ב ל ה ו מ ש כ
אבטחה אודות אוטומטי אחר אחרת אחרי אחת אחד אי אין אינה אינו אינטרנט איפוס אישור אישורים אישי אל אם אימות אנא אנדרואיד אנו אנחנו אנשי
אפליקציה אפליקציות אפליקציית אפשר אפשרות אפשרויות את אתה אתמול או באופן באמצעות באנגלית באפליקציה בבקשה בגלל בדיקה
בהמתנה בהצלחה בוטל בחירה בחר בחרו בטוח ביטול בין בית במכשיר בן בעברית בעיה בפרופיל בקבוצה בקשה ברירת בשיחה
גודל גיבוי גיבויים גישה גלריה גרסה גרסת גם דירוג דרג דרגו דרייב דקות דקה האחסון האינטרנט האם האפליקציה הבא הבאה הגבלה
הגדר הגדרה הגדרות הגדירו הגיע הודעה הודעות הודעתך הוגבל הוגבלה הוסף הוספה הוספת הורדה הזינו הזן הזה החברה החלפה החשבון החיוג
הטלפון היום הכל המחדל המכשיר המספר המתן המשך הסכמה הסר הסרה העברה העדכון העתק הפעל הפעלה הפעילו הפרטיות הצג הצפנה הקוד הקלטה
הקלד הקישור הרשאה הרשאות הרשמה השהה השולח השירות השלמה התחברות התחל התחלה התקן התקנה התקשר התראה התראות התנתקת התנתק התנאים
וואטסאפ ווטסאפ וידאו וידיאו ולא ולכן ועוד זה זו זמין זמינה זמנית זמני זמן זיהוי חבר חברים חדש חדשה חדשות חדשים חזור חזרה חיבור
חיוני חייגו חיפוש חינם חסום חסימה חסר חשבון חשבונות טלפון טעינה טקסט טרם יותר יוצאת יחיד יש ישן ישנה
כבר כדי כל כיתוב כיבוי כן כתובת כתיבה לא לאחר לאפשר לאפליקציה לבטל לבחור להגדיר להוסיף להזין להמשיך להסיר
להפעיל להעניק להתחבר להתקין להשתמש להשתיק להירשם לבדוק לבחירה לגבות לגיבוי לגישה לדחות לדירוג לחסום לחזור ליצור
לך למידע למכשיר למסרונים לנסות לסגור לעדכן לעדכון לפתוח לפתיחה לפני לקבל לקריאה לשחזר לשיחה לשיתוף לשלוח לשמור לשתף לתת
מאובטח מאושר מבוטל מדי מדיה מדיניות מהר מוגבל מוגבלת מוגדר מוקלד מחדל מחובר מחוברת מחק מחיקה מחקו מידע מיקום מיקרופון
מכשיר מכשירים מלא מלאה ממתין מנהל מסך מסמך מספיק מסרון מסרונים מספר מצב מצלמה מקום מקושר מקלדת מקשים מתי
מתקדם משתמש משתמשים משותף מערכת נא נבחר נדחה נדרש נדרשת נמסרה נמסר נעילה נסה נסו נסיון ניווט ניסיון ניתן נכשל נכשלה נמצא נפתח נסגר נקראה
נקרא נרשם נשמר נשלחה נשלח נחסם נתונים סגור סגירה סוללה סטטוס סטיקר סטיקרים סיום סיסמה סינון סיסמא סירוב סרוק ספאם
עדיין עדכון עדכונים עדכן עזרה על עם ענן עצור עצירה עכשיו ערוך עריכה פג פגה פעולה פעיל פעילה פעילות פרטי פרטים פרטיות פרופיל פתח פתיחה
פתרון צירוף צפייה צפה צריך צריכים קבוצה קבוצות קבל קבלה קבצים קובץ קול קולית קוד קודם קיים קיימת קישור קרא קראו קריאה
רגיל רוצה רוצים ראשי רענן רק רשום רשומה רשימה רשימת רשת שגיאה שוב שוחזר שחזור שיחה שיחות שינוי שירות שיתוף ששותף שלך שלכם שלח שלחו
שליחה שולחים שולח שמור שמירה שניות שנייה של תאריך תוקף תחילה תיאור תיקייה תכונה תמונה תמונות תנאי תפריט תקין חוקי תשובה הספרות הושעה אינם רישום עוד עברית נפסק
מגיבה מגיב להמתין אפשרו אפשרי דחייה סיבה מורשה להשבית להתעלם התעלם אחסון פנוי
`;

const ARABIC = `
إلغاء موافق حسنا حسنًا نعم لا إرسال رسالة رسائل مراسلة الرسائل رسالتك صورة صور الصور كاميرا الكاميرا إرفاق مرفق صوت صوتية الصوت مكالمة مكالمات
الانتظار قيد تم التسليم الإرسال التسليم مقروءة قراءة المزيد إضافة شرح تعليق رقم الهاتف هاتفك رقمك مسجل غير في واتساب على هذا
هذه الحساب حساب حسابك مسموح له باستخدام محظور مقيد مؤقتا مؤقتًا من بدء دردشات دردشة جديدة جديد تأكيد أدخل إدخال الرمز رمز
التعريف الشخصي هل تريد السماح لتطبيق تطبيق التطبيق بإرسال إشعارات الإشعارات يستجيب فتح باستخدام جعله القصيرة الافتراضي
إلى مشاركة مع بحث حذف نسخ لصق إغلاق خروج دخول تسجيل تحديث التحديث الآن لاحقا لاحقًا تذكير نسخة احتياطية احتياطي النسخ
النسخة الاحتياطي مساحة التخزين ممتلئة كافية ذاكرة تقييم قيم التقييم رفض رفض قبول منع متابعة التالي السابق رجوع عودة انتظار
إعدادات الإعدادات معلومات إنترنت الاتصال اتصال شبكة لم يتم يمكن يرجى المحاولة مرة أخرى لقد بسبب إزعاج خطأ مشكلة إصدار
الإصدار تنزيل تثبيت تخطي انتهت صلاحية تحقق التحقق ملف ملفات مستند موقع جهة اتصال مجموعة الملف حفظ عرض إظهار إخفاء كتم
متصل بالإنترنت اليوم أمس أو و أن لك قد كل عن ما كلمة المرور قفل الشاشة الجهاز جهاز أجهزة مكون أرقام ٦ حظر بشكل كبيرة
ملصق ملصقات رموز تعبيرية إيموجي مستخدم مستخدمي الدعم مساعدة شروط الخدمة عمل النشاط التجاري ص م
`;

const RUSSIAN = `
отмена ок да нет отправить отправка отправлено отправлен отправлена доставлено доставлен прочитано ожидание сообщение
сообщения сообщений голосовое фото фотография камера прикрепить вложение подпись добавить добавьте ещё еще читать далее
номер телефона телефон не в на по с и или для из к от до вы вас вам ваш ваша ваше ваши этот эта это эти аккаунт аккаунта
учётная запись учетная зарегистрирован зарегистрированы использует использовать использование whatsapp заблокирован
заблокирована заблокировано временно ограничен ограничена ограничено ограничения спам спама за из-за слишком часто быстро
много подтвердите подтверждение введите код кода цифр шестизначный значный пинкод пароль разрешить разрешите отклонить
запретить запрещено доступ уведомления уведомлений приложение приложения приложению отвечает открыть закрыть подождать
выбрать выбор по умолчанию сделать отправлять получать смс поделиться кому копировать удалить изменить сохранить назад
вперёд продолжить пропустить позже сейчас напомнить обновить обновление обновите версия версии устарела установить
скачать загрузить резервное резервная копирование копия копии создать место памяти память хранилище недостаточно мало
заполнено освободите оценить оцените отзыв настройки помощь поддержка условия политика конфиденциальности интернет
подключение сеть ошибка проблема попробуйте попытка снова поиск контакт контакты группа группы чат чаты новый новая новые
звонок звонки видео документ файл файлы галерея аудио местоположение статус был была в сети сегодня вчера профиль рабочий
устройство устройства связанные выйти вход войти выход больше меньше можно нельзя чтобы начать недоступно недоступен
пользователь пользователи смайлик стикер стикеры эмодзи сервис срок истёк экран блокировки
`;

const WORDS: ReadonlySet<string> = new Set(
  [ENGLISH, HEBREW, ARABIC, RUSSIAN].flatMap((words) => words.split(/\s+/)).filter((word) => word !== "")
    .map((word) => word.normalize("NFC").toLowerCase()),
);

/** Hebrew joins these letters to the next word: "ב-WhatsApp", "לשיחה". A word of one letter is none. */
const HEBREW_PREFIX = /^[ובהלמשכ](?=[א-ת]{3})/;

/** True for a word of the public vocabulary, in any case. */
export function isPublicWord(word: string): boolean {
  const plain = word.normalize("NFC").toLowerCase();
  if (WORDS.has(plain)) return true;
  return HEBREW_PREFIX.test(plain) && WORDS.has(plain.slice(1));
}

/** Numbers that belong to a sentence of the app. */
export const PUBLIC_NUMBERS = /\b6[-\s]digit\b|(?<![\d])6 הספרות|(?<!\d)6-значн|(?<!\d)[6٦] أرقام/giu;
