import type { Carried, Source } from '@countersign/hosts'
import { stringify } from 'yaml'

/** The imported rules as a policy file. Every rule has a comment with its origin, and the end lists what was left out. */
export function policyText(source: Source, carried: readonly Carried[]): string {
  const rules = carried.filter((one) => one.kind === 'rule')
  const left = carried.filter((one) => one.kind === 'left')
  const head = [
    `# Imported with \`countersign policy import --from ${source}\`.`,
    '# An allowed call still asks above medium risk, and an allowed command runs in the sandbox.',
    'version: 1',
  ]
  const body = rules.flatMap(({ from, text, when, supervision, floor, note }, at) => {
    const rule = { id: `${source}-${at + 1}`, ...when, supervision, ...(floor ? { floor } : {}) }
    const yaml = stringify([rule], { lineWidth: 0, collectionStyle: 'any' }).trimEnd()
    return [
      `  # ${commentText(`${from}: ${text}`)}`,
      ...(note === undefined ? [] : [`  # Differs: ${commentText(note)}`]),
      ...yaml.split('\n').map((line) => `  ${line}`),
    ]
  })
  const end = left.flatMap(({ from, text, why }) => [
    `#   ${commentText(`${from}: ${text}`)}`,
    `#     ${commentText(why)}`,
  ])
  return [
    ...head,
    ...(rules.length === 0 ? [] : ['rules:', ...body]),
    ...(left.length === 0 ? [] : ['', '# Not imported:', ...end]),
    '',
  ].join('\n')
}

const MOST = 160

/** One line without characters that could end the comment. SECURITY: a foreign file must not add lines to a policy. */
function commentText(text: string): string {
  const plain = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
  return plain.length > MOST ? `${plain.slice(0, MOST)}…` : plain
}
