const SQL_VERBS =
  /(?:select|insert|update|delete|drop|alter|create|truncate|with|merge|grant|revoke|replace|call|exec|execute|pragma|vacuum|attach|copy|explain|begin|do|set|lock|reindex|comment|rename|show|describe|desc|analyze|use|values|declare|deny|kill|shutdown|backup|restore|load|refresh|prepare|purge|optimize|commit|rollback|table)\b/iy

const NAME = String.raw`["\[\x60]?[\p{L}_#][\p{L}\p{N}_$."\]\[\x60-]{0,128}`
const STORE =
  '(?:table|database|schema|view|index|user|role|function|procedure|trigger|sequence|extension|materialized|unique|temp|temporary|policy|type|tablespace|login|or)'

let statement: RegExp | undefined

/**
 * How statements continue after their verb, unlike prose such as `update the readme` or `create table of contents`. Built
 * on first use, because that takes a millisecond.
 */
function statementPattern(): RegExp {
  statement ??= new RegExp(
    [
      String.raw`select\s[^]{0,400}?(?:\bfrom\b|\d|\*|\()`,
      String.raw`insert\s+(?:into|or|ignore|overwrite)\s`,
      String.raw`update\s+(?:only\s+)?${NAME}\s+(?:as\s+)?(?:${NAME}\s+)?set\s+${NAME}\s*=`,
      String.raw`delete\s+from\s+(?:only\s+)?${NAME}\s*(?:$|;|where\b|using\b|returning\b|as\b|limit\b|order\b)`,
      String.raw`drop\s+${STORE}\s+(?:if\s+exists\s+)?(?:concurrently\s+)?${NAME}\s*(?:$|;|,|cascade\b|restrict\b)`,
      String.raw`truncate\s+(?:table\s+)?${NAME}\s*(?:$|;|,|cascade\b|restart\b)`,
      String.raw`alter\s+${STORE}\s+(?:if\s+exists\s+)?${NAME}\s+(?:add|drop|alter|rename|set|owner|enable|disable|with|modify|change|to|superuser|password|login)\b`,
      String.raw`create\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+|unlogged\s+|materialized\s+|unique\s+)?${STORE}\s+(?:if\s+not\s+exists\s+)?${NAME}\s*(?:\(|as\b|;|on\b|with\b|like\b|password\b|returns\b)`,
      String.raw`with\s+(?:recursive\s+)?${NAME}\s*(?:\([^)]{0,400}\)\s*)?as\s*(?:not\s+)?(?:materialized\s*)?\(`,
      String.raw`merge\s+(?:into\s+)?${NAME}\s[^]{0,200}?using\b`,
      String.raw`(?:grant|revoke|deny)\s[^]{0,200}?\s(?:to|from)\s`,
      String.raw`explain\s+(?:\(|analyze\b|verbose\b|query\b|select\b|insert\b|update\b|delete\b|with\b)`,
      String.raw`(?:exec|execute|call)\s+(?:(?:sp_|xp_|dbo\.)\w|${NAME}\s*(?:\(|;|'|@))`,
      String.raw`(?:pragma|vacuum|reindex|attach)\b[^]{0,80}$`,
      String.raw`copy\s+${NAME}\s*(?:\([^)]{0,400}\)\s*)?(?:to|from)\s`,
      String.raw`(?:do\s+\$|begin\s*;|replace\s+into\s|set\s+(?:global|role|password)\b|load\s+data\b|shutdown\s*;?$)`,
    ].join('|'),
    'iuy',
  )
  return statement
}

/**
 * Whether a text starts like SQL, after any comments and brackets. If SQL is expected, a verb is enough; otherwise the next
 * words must continue a statement. Linear in the text.
 */
export function looksLikeSql(text: string, expected: boolean): boolean {
  let at = 0
  for (;;) {
    if (text.startsWith('--', at)) at = after(text, '\n', at)
    else if (text.startsWith('/*', at)) at = after(text, '*/', at + 2)
    else if (/[\s(;]/.test(text.charAt(at))) at++
    else break
  }
  const pattern = expected ? SQL_VERBS : statementPattern()
  // SECURITY: A25, the pattern sees only a bounded piece of the text.
  const piece = text.slice(at, at + 1024)
  pattern.lastIndex = 0
  return pattern.test(piece)
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found === -1 ? text.length : found + mark.length
}
