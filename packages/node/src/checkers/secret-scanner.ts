import { joinFound, type SecretSpan, scanText } from '@countersign/core'

/** A secret in a text: its kind and its position in UTF-16 units, `end` exclusive. */
export type FoundSecret = SecretSpan

/**
 * Every real secret in a text: what core finds, and what the recommended rules of secretlint find beyond it. Comments
 * that switch secretlint off do nothing here, since whoever writes the text would write the comment too.
 */
export async function scanSecrets(text: string): Promise<readonly FoundSecret[]> {
  const own = scanText(text)
  const lint = await loadLint()
  const { messages } = await lint(text)
  const other = messages.flatMap(({ ruleId, messageId, range: [start, end] }) =>
    // The number of an account opens nothing.
    messageId === 'AWSAccountID' ? [] : [{ start, end, kind: ruleId.replace(RULE, '') }],
  )
  return joinFound(text, own, other)
}

interface Message {
  readonly ruleId: string
  readonly messageId: string
  readonly range: readonly [number, number]
}

type Lint = (text: string) => Promise<{ readonly messages: readonly Message[] }>

const RULE = '@secretlint/secretlint-rule-'

/** Rules that are left out: comments count for nothing, and addresses are read by core, which knows placeholders. */
const LEFT_OUT = ['filter-comments', 'basicauth', 'database-connection-string']

/** Without this there is no id to look for. */
const AWS_ID = /A(?:KIA|SIA|3T)/

let loading: Promise<Lint> | undefined

/** Loaded at the first scan: nobody who scans nothing waits for it. */
function loadLint(): Promise<Lint> {
  loading ??= importLint()
  return loading
}

async function importLint(): Promise<Lint> {
  const [{ lintSource }, { rules }, { secretLintProfiler }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
    import('@secretlint/profiler'),
  ])
  // It would keep a mark in memory for every rule of every text.
  secretLintProfiler.setEnabled(false)
  const kept = rules.filter(({ meta }) => !LEFT_OUT.includes(meta.id.replace(RULE, '')))
  const configOf = (options: object) => ({
    rules: kept.map((rule) => ({ id: rule.meta.id, rule, options: rule.meta.id === `${RULE}aws` ? options : {} })),
  })
  const usual = configOf({})
  const withAwsIds = configOf({ enableIDScanRule: true })
  return (content) =>
    lintSource({
      source: { filePath: 'text', content, ext: '', contentType: 'text' },
      options: { config: AWS_ID.test(content) ? withAwsIds : usual, noPhysicFilePath: true },
    })
}
