/**
 * Words that programmers use in the names of views, activities and packages. A word that is also a given name does not
 * belong here ("will", "mark", "bill", "rose", "drew", "page"), nor does a short word that may be one in letters of
 * another language ("gal", "tal", "or", "li").
 */
export const TECHNICAL_WORDS: ReadonlySet<string> = new Set(
  `
about abstract accept accessibility account accounts action actions activity adapter add address admin aerr
alert align all allow anchor android animation answer api apk app appbar appeal appear apps area arrow
attach attachment attachments audio authentication auto automatic avatar back background backup
backuprestore badge balance banappeal banned banner bar base battery before begin below biometric block
blocked blur body boot border bottom box broadcast browser btn bubble bubbles bucket builder button buttons
call calls camera cancel caption capture card cards cell center channel channels chat chats check checkbox
checkmark child chooser circle clear click close cloud code collapse collapsing color column community
compact component compose composer confirm connect connecting connection contact contacts container content
contents control controls conversation conversations coordinator copy count counter country cover create
crop current cursor custom cv data database date day days debug decline decoration default delete deny desc
description desktop detail details device devices dial dialog digit digits disable disabled disappearing
dismiss display divider document documents done dots download drag drawable drawer dropdown dual duplicate
duration edit edittext effect elevation email emoji empty enable enabled encrypted encryption end enter
entries entry error et eula event events exit expand expanded export extended external extra fab fade failed
failure faq favorite field fields file files fill filter filters find first fit fixed fl floating flow fmx
folder folders font footer for forward forwarded fragment frame framelayout from full fullscreen gallery
generic gif gms gradient gravity grid group groups guide guideline half handle handler header heading height
help hidden hide highlight hint history holder home horizontal http icon icons id identity image imagebutton
images imageview ime img inbox incoming index indicator info inline inner input insert inset install
installer interactive internal invalid invitation invite item items iv keep key keyboard keyguard label
landscape large last launch launcher layer layout lbl learn left length level line linear linearlayout lines
link linked links list listview live ll load loader loading local location lock locked log login
loginfailure logo logout long lookup low ltr main manage manager map mask media mediacomposer medium member
members mention menu menuitem message messages messenger meta metadata mic mini minus missed mms mobile
modal mode modern more move msg msgs multi multiline mute name named native navigation network new next no
nodes none normal not note notes notice notification notifications null num number numbers off official ok
old on open option options order os otp out outer outgoing outline overflow overlay own owner pack padding
pager pane panel panels parent participant participants password paste path pause pay payment payments pb
pending percent permission permissions person phone phonenumberentry photo photos pic pick picker pics
picture pictures pinned placeholder plain play playback player plus point pop popup portrait position post
pre preference preview previous primary privacy private process product profile progress prompt provider ptt
public push qr query question queue quick quote quoted radio range rate rating react reaction reactions read
receipt receipts receive received receiver recent recents recipient recipients record recorder recording
recycler recyclerview refresh register registering registration reject relative relativelayout reload
remaining remote remove rename repeat replace reply report request required reset resize resolver resource
responding response restart restore restricted restriction result resume retry return reveal right ringtone
rl root rotate round row rows rtl rv safe save scan scene scheduled screen scrim scroll scroller scrollview
sdk search second secondary secret section secure security see seek seekbar select selected selection
selector send sender sending sent separator server service session set setting settings setup shade shadow
shape share shared sharing sheet shield short shortcut show side sign single size skip slide slider slot
small sms snackbar solid sort sound source space spacer span spinner splash split stack start state static
status step steps sticker stickers sticky stop storage store story stream strip stroke stub style sub
subject subtext subtitle suggestion suggestions summary support surface swipe switch sync system tab tablet
tabs tag tap target temporary terminal text textfield textview theme thread thumb thumbnail thumbs tick
ticks tile time timer timestamp tint title to toast today toggle tool toolbar tooltip top tos total touch
track transition translate translucent transparent trash tray tree tv two txt type typing ui unavailable
unblock unknown unlock unread up update upgrade upload uri url usage user userban username value
verification verified verify verifynumber verifyphone version vertical video view viewer viewgroup viewpager
views visibility visible voice volume vp wait waiting wallpaper warn warning watch watermark wds web website
webview whatsapp wide widget width window with wrapper write yes zoom
`.split(/\s+/).filter((word) => word !== ""),
);
