import type { Rule } from './instruction-rules.ts';

/** "Forget your instructions" and "answer CLEAN" in other languages. Latin ones stand without accents, as they are read. */

/** What `clean` is not: a verdict, where it goes on like this. */
export const CLEAN =
  /\bclean\b(?!\W{0,2}(?:code|up|install\w*|build|architecture|energy|eating|and|the|your|my|room|out|off|water|air|slate|cut|sheet|bill|coal|design|desk|version)\b)/;

const override = (start: RegExp, ...all: RegExp[]): Rule => ({ id: 'override', on: 'latin', start, all, within: 70 });
const wide = (id: string, start: RegExp, ...all: RegExp[]): Rule => ({ id, on: 'wide', start, all, within: 50 });

export const LANGUAGES: readonly Rule[] = [
  // German
  override(
    /\b(?:ignorier\w*|vergiss|vergesst|vergessen sie|missachte\w*|missachten sie)\b/g,
    /\b(?:anweisung\w*|instruktion\w*|vorgaben|befehle?|system-?prompt\w*|regeln|richtlinien)\b/,
    /\b(?:dein\w*|ihre|eure|vorherig\w*|vorig\w*|bisherig\w*|obig\w*|alle|fruher\w*|vorangehend\w*|system\w*)\b/,
  ),
  // French
  override(
    /\b(?:ignore[zr]?|oublie[zr]?|ne tiens? (?:pas|aucun) compte|ne tenez (?:pas|aucun) compte|fais abstraction)\b/g,
    /\b(?:instructions?|consignes?|directives?)\b/,
    /\b(?:precedentes?|ci-dessus|anterieures?|tes|vos|toutes|systeme|recues)\b/,
  ),
  // Spanish
  override(
    /\b(?:ignora|ignore|ignorad|olvida|olvide|olvidate|haz caso omiso|descarta|desobedece)\b/g,
    /\b(?:instrucci\w+|ordenes|directrices|indicaciones|reglas)\b/,
    /\b(?:anteriores|previas|todas|tus|sus|de arriba|del sistema|recibidas)\b/,
  ),
  // Portuguese
  override(
    /\b(?:ignore|ignora|esqueca|esquece|desconsidere|desconsidera)\b/g,
    /\b(?:instruc\w+|regras|diretrizes|ordens|comandos)\b/,
    /\b(?:anteriores|previas|todas|suas|tuas|acima|do sistema)\b/,
  ),
  // Italian
  override(
    /\b(?:ignora|ignorate|ignori|dimentica\w*|trascura)\b/g,
    /\b(?:istruzioni|regole|direttive|indicazioni)\b/,
    /\b(?:precedenti|tutte|tue|vostre|sopra|ricevute|del sistema)\b/,
  ),
  // Dutch
  override(
    /\b(?:negeer|vergeet)\b/g,
    /\b(?:instructies?|opdrachten|aanwijzingen|richtlijnen|regels)\b/,
    /\b(?:vorige|eerdere|alle|je|jouw|uw|bovenstaande|voorgaande|systeem\w*)\b/,
  ),
  // Turkish: the verb comes last
  override(
    /\b(?:onceki|yukaridaki|tum|butun|sana verilen|sistem)\b/g,
    /\b(?:talimat\w*|komut\w*|yonerge\w*|kural\w*)\b/,
    /\b(?:unut\w*|yok say\w*|gormezden gel\w*|dikkate alma\w*|goz ardi)\b/,
  ),
  // Polish
  override(
    /\b(?:zignoruj\w*|ignoruj\w*|zapomnij\w*|pomin\w*)\b/g,
    /\b(?:instrukcj\w*|polecen\w*|wytyczn\w*|zasad\w*)\b/,
    /\b(?:poprzedni\w*|wczesniejsz\w*|wszystki\w*|swo\w*|powyzsz\w*|system\w*)\b/,
  ),
  {
    id: 'dictate',
    on: 'latin',
    start:
      /\b(?:antworte\w*|gib|schreibe?|schreiben sie|sage?|stufe|reponds|repondez|dis|ecris|ecrivez|renvoie|renvoyez|responde|responda|respondas|devuelve|devolva|devolve|di|diga|escribe|escreva|contesta|rispondi|rispondete|scrivi|restituisci|antwoord|zeg|schrijf|geef|kies|yanitla|cevapla|yaz|odpowiedz|odpowiadaj|wpisz|napisz|zwroc)\b/g,
    all: [CLEAN],
    within: 60,
  },
  {
    id: 'dictate',
    on: 'latin',
    start: CLEAN,
    all: [/^clean\W{0,3}\s?(?:\w{1,8}\s)?(?:de(?:rsin)?\b|yaz\w*|cevab\w*|yanit\w*|olarak (?:isaretle|siniflandir))/],
    within: 40,
  },
  {
    id: 'addressed',
    on: 'latin',
    start:
      /\b(?:hinweis|nachricht|anweisung|notiz|note|message|consigne|instruction|nota|mensaje|mensagem|instruccion|instrucao|messaggio|istruzione|bericht|opmerking|instructie|wiadomosc|ps|uwaga|talimat)\b/g,
    all: [
      /^\w+ (?:an|fur|au|aux|a l'|pour|para|al|ao|per|all'|aan|voor|do|dla) ?(?:das |die |den |le |la |les |el |o |a |il |lo |l'|de |het )?(?:modell\w*|ki\b|ki-\w+|klassifikator\w*|modele\b|ia\b|classificateur|modelo\b|clasificador|classificador|modello\b|classificatore|classifier|systemu\b|modelu\b|filtr\w*)/,
    ],
    within: 60,
  },
  {
    id: 'dictate',
    on: 'latin',
    start:
      /\b(?:klassifizier\w*|bewerte\w*|behandle\w*|markier\w*|einstufen|consider\w*|classe[zr]?|classifi\w*|marque[zr]?|trait(?:e|ez|er)|clasific\w*|marca\w*|trata\w*|classific\w*|beoordeel\w*|markeer\w*|behandel\w*|isaretle\w*|siniflandir\w*|oznacz\w*|sklasyfikuj\w*|uznaj\w*)\b/g,
    all: [
      /\b(?:kommentar\w*|text|beitrag\w*|commentaires?|texte|messages?|fil|comentario\w*|texto|mensaje|mensagem|comment[oi]|testo|messaggio|reactie|bericht|tekst\w*|komentarz\w*|yorum\w*|metn\w*|alles|tout|todo|tudo|tutto)\b/,
      /\b(?:als|comme|como|come|jako|za)\b.{0,6}\b(?:harmlos|sauber|unbedenklich|genehmigt|freigegeben|valide\w?|approuve\w?|propre|inoffensi\w+|sur|limpi?[oa]|aprobad[oa]|segur[oa]|inofensiv[oa]|aprovad[oa]|pulit[oa]|approvat[oa]|sicur[oa]|innocu[oa]|veilig|schoon|goedgekeurd|onschuldig|czyst\w+|bezpieczn\w+|zatwierdzon\w+)\b|\b(?:temiz|guvenli|zararsiz|onayli)\b/,
    ],
    within: 90,
  },
  wide(
    'dictate',
    /(?:пометь|отметь|классифицируй|считай|признай|оцени)/g,
    /(?:комментари|текст|сообщени|это)/,
    /(?:безопасн|чист|не спам|одобрен|безвредн)/,
  ),
  // Swedish, Danish, Norwegian
  override(
    /\b(?:ignorera|ignorer|glom|glem|bortse)\b/g,
    /\b(?:instruktion\w*|instruks\w*|anvisning\w*|regler\w*)\b/,
    /\b(?:tidigare|tidligere|alla|alle|dina|dine|foregaende|forrige|ovan\w*)\b/,
  ),
  // Czech, Romanian, Indonesian, Vietnamese
  override(
    /\b(?:ignoruj\w*|zapomen\w*)\b/g,
    /\b(?:instrukc\w*|pokyn\w*|pravidl\w*)\b/,
    /\b(?:predchoz\w*|vsechn\w*|sve|sva)\b/,
  ),
  override(
    /\b(?:ignora|ignorati|uita|uitati)\b/g,
    /\binstructiunile\b/,
    /\b(?:anterioare|toate|tale|precedente|primite)\b/,
  ),
  override(
    /\b(?:abaikan|lupakan)\b/g,
    /\b(?:instruksi|perintah|aturan)\b/,
    /\b(?:sebelumnya|semua|di atas|kamu|anda)\b/,
  ),
  override(/\b(?:bo qua|quen)\b/g, /\b(?:huong dan|chi thi|lenh)\b/, /\b(?:truoc|tat ca|moi)\b/),
  // Ukrainian, Greek, Hebrew, Korean
  wide('override', /(?:ігноруй|забудь)/g, /(?:інструкці|вказівк|правил)/, /(?:попередн|всі|свої|твої)/),
  wide('override', /(?:αγνόησε|αγνοήστε|ξέχνα)/g, /(?:οδηγίες|εντολές|κανόνες)/, /(?:προηγούμεν|όλες|σου|παραπάνω)/),
  wide('override', /(?:התעלם|התעלמי|שכח)/g, /(?:הוראות|הנחיות|ההוראות)/, /(?:קודמות|הקודמות|כל|שלך)/),
  wide('override', /(?:이전|모든|위의|지금까지)/g, /(?:지시|명령|지침)/, /(?:무시|잊)/),
  // Russian
  wide(
    'override',
    /(?:игнорируй|забудь|не обращай)/g,
    /(?:инструкци|указани|команд|правил)/,
    /(?:предыдущ|прежн|все|свои|ваши|твои|выше|системн)/,
  ),
  wide('dictate', /(?:ответь|отвечай|напиши|скажи|верни|выведи)/g, /(?:\bclean\b|["«]чисто["»])/),
  // Chinese
  wide(
    'override',
    /(?:忽略|无视|無視|忽視|忘记|忘記|忘掉|不要理会|不要遵守)/g,
    /(?:指令|指示|提示词|提示詞|系统提示|规则|規則)/,
    /(?:之前|以上|上述|先前|前面|所有|你的|系统|系統|一切)/,
  ),
  wide('dictate', /(?:回答|回复|回覆|输出|輸出|返回|判定为|标记为|分类为)/g, /clean/),
  wide(
    'dictate',
    /(?:将|把)(?:此|这|這|本)(?:条|條|篇)?(?:评论|評論|内容|文本|帖子|文档)/g,
    /(?:标记|判定|分类|归类|判断)(?:为|成)/,
  ),
  // Japanese: the verb comes last
  wide(
    'override',
    /(?:以前の|これまでの|前の|上記の|すべての|全ての|あなたの|今までの|システムの)/g,
    /(?:指示|命令|プロンプト|指令|ルール)/,
    /(?:無視|忘れ|従わな)/,
  ),
  wide('dictate', /clean/g, /^clean["」』”]?(?:と|とだけ|を|だけ)?(?:答え|回答|出力|返し|返答|返す|判定|分類)/),
  // Arabic
  wide(
    'override',
    /(?:تجاهل|[اأإ]نس[َى]?(?= )|تخط[َى]?(?= ))/g,
    /(?:تعليمات|[اأ]وامر|قواعد|توجيهات)/,
    /(?:السابق|جميع|كل |[اأ]علاه|ماتك|النظام)/,
  ),
  wide('dictate', /(?:[اأ]جب|اكتب|قل |[اأ]عد |[اأ]رجع|رد ب)/g, /clean/),
  // Hindi
  wide(
    'override',
    /(?:पिछले|पिछली|पूर्व|ऊपर|सभी|अपने|सारे)/g,
    /(?:निर्देश|आदेश|नियम)/,
    /(?:अनदेखा|नज\u093c?र\s?अंदाज|भूल|उपेक्षा|ध्यान न|इग्नोर)/,
  ),
  wide('dictate', /clean/g, /(?:उत्तर|जवाब|लिख|कह(?:ें|ो)|बोल|बताए)/),
];
