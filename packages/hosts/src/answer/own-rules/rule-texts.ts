/** The fixed parts of a rule's pattern. A command that lacks one of them can't match; a rule without any may match every command. */
export type RuleText = readonly string[]

const MAY_BE_ALL: RuleText = []

/** The rules of Claude Code that refuse or ask, in settings with or without comments: `"deny": ["Bash(touch:*)"]`. */
export function claudeRules(text: string): readonly RuleText[] {
  return [...text.matchAll(/"(?:deny|ask)"\s*:\s*\[/g)].flatMap(({ index, 0: opening }) =>
    stringsFrom(text, index + opening.length).flatMap(claudeRule),
  )
}

/** A rule as Claude Code's settings and flags write it. A tool's name can have `*` in it. */
export function claudeRule(rule: string): readonly RuleText[] {
  const [, tool = '', spec] = /^([^(]*)(?:\((.*)\))?$/s.exec(rule.trim()) ?? []
  if (tool !== 'Bash' && !tool.includes('*')) return tool === '' ? [MAY_BE_ALL] : []
  return [spec === undefined ? MAY_BE_ALL : piecesOf(spec.replace(/:\*$/, '*'))]
}

/** Codex: `prefix_rule(pattern = ["touch"], decision = "forbidden")`. Only the first word is certain to be in the command. */
export function codexRules(text: string): readonly RuleText[] {
  return text
    .split(/(?=\bprefix_rule\s*\()/)
    .filter((rule) => /["'](?:forbidden|prompt)["']/.test(rule))
    .map((rule) => {
      const [, , word] = /pattern\s*=\s*\[\s*(["'])((?:(?!\1).)*)\1/s.exec(rule) ?? []
      return word === undefined ? MAY_BE_ALL : piecesOf(word)
    })
}

/** Gemini CLI: `[[rule]]` tables with `decision = "deny"`. */
export function geminiRules(text: string): readonly RuleText[] {
  return text
    .split(/^(?=\s*\[\[\s*(?:rule|safety_checker)\s*\]\])/m)
    .filter((rule) => /decision\s*=\s*["'](?:deny|ask_user)["']/.test(rule))
    .filter((rule) => !/^\s*toolName\s*=\s*["'](?!run_shell_command|\*)/m.test(rule))
    .map((rule) => {
      const [, , word] = /^\s*commandPrefix\s*=\s*(["'])(.*)\1\s*$/m.exec(rule) ?? []
      return word === undefined ? MAY_BE_ALL : piecesOf(word)
    })
}

/** Gemini CLI's settings: `"exclude": ["run_shell_command(touch)"]`. */
export function geminiSettingsRules(text: string): readonly RuleText[] {
  return [...text.matchAll(/"(?:exclude|excludeTools)"\s*:\s*\[/g)].flatMap(({ index, 0: opening }) =>
    stringsFrom(text, index + opening.length)
      .filter((rule) => /^(?:run_shell_command|ShellTool)\b/.test(rule))
      .map((rule) => piecesOf(/\((.*)\)/s.exec(rule)?.[1] ?? '')),
  )
}

/** opencode: `"bash": { "touch *": "deny" }`, or `"bash": "ask"`. */
export function opencodeRules(text: string): readonly RuleText[] {
  return [...text.matchAll(/("(?:[^"\\]|\\.)*")\s*:\s*"(?:deny|ask)"/g)].map(([, key = '""']) => {
    const pattern = textOf(key)
    return pattern === 'bash' ? MAY_BE_ALL : piecesOf(pattern)
  })
}

/** Copilot CLI's flags: `shell(touch:*)`, or `shell`. */
export function copilotRule(rule: string): readonly RuleText[] {
  const [, spec] = /^shell(?:\((.*)\))?$/s.exec(rule.trim()) ?? []
  return rule.trim().startsWith('shell') ? [piecesOf((spec ?? '').replace(/:\*$/, '*'))] : []
}

/** What is between the wildcards, word by word: the agent may see other blanks. */
function piecesOf(pattern: string): RuleText {
  return pattern.split(/[*?\s]+/).filter((piece) => piece !== '')
}

const NEXT = /(?:\s|,|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*("(?:[^"\\]|\\.)*")?/y

/** The strings of a list that begins here. */
function stringsFrom(text: string, start: number): readonly string[] {
  const found: string[] = []
  NEXT.lastIndex = start
  for (let next = NEXT.exec(text); next?.[1] !== undefined; next = NEXT.exec(text)) found.push(textOf(next[1]))
  return found
}

function textOf(literal: string): string {
  try {
    return String(JSON.parse(literal))
  } catch {
    return '*'
  }
}
