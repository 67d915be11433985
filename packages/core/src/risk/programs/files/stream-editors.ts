import { codeEffects } from '../../../command/code/find-effects.ts'
import { inlineCode } from '../../../command/code/inline-code.ts'
import { rewritesInPlace, sedActs } from '../../arguments/sed-script.ts'
import { typedOptions } from '../../arguments/typed-options.ts'
import { finding } from '../../report/finding.ts'
import { riskRank } from '../../report/level.ts'
import { type Assess, anyFlag } from '../assessor/assessor.ts'
import { rateCode } from '../interpreters/inline-code.ts'

/** `sed`: prints, rewrites in place, or runs commands of its script. */
export const assessSed: Assess = ({ part }) => {
  const acts = sedActs(part)
  if (acts.runs) return finding('high', 'files.sed-powers', 'sed runs commands', 'unknown')
  if (acts.writes.length > 0) return finding('high', 'files.sed-powers', 'sed writes other files')
  if (rewritesInPlace(part)) return finding('medium', 'files.sed', 'sed rewrites files in place')
  return acts.hidden
    ? finding('low', 'files.sed-unknown', 'sed runs a script that is not fully shown', 'unknown')
    : finding('none', 'files.sed', 'sed only prints')
}

/** `awk`: rated by its code. */
export const assessAwk: Assess = (facts) => {
  const { part } = facts
  const code = inlineCode(facts.program, part.args, part.stdin)
  const options = typedOptions(part, facts.row)
  const has = (...names: readonly string[]) => options.some(({ name }) => names.includes(name))
  if (has('-l', '--load')) return finding('high', 'files.awk-powers', 'awk loads a library', 'unknown')
  if (has('-f', '--file', '-E', '--exec', '-W'))
    return finding('low', 'files.awk-script', 'awk runs a script of the project', 'unknown')
  if (has('-d', '--dump-variables', '-p', '--profile', '-o', '--pretty-print'))
    return finding('medium', 'files.write', 'awk writes a file about the program')
  if (code === null) return finding('none', 'files.awk', 'awk only prints')
  const rated = rateCode(code, facts)
  if (riskRank(rated.level) > riskRank('low') && rated.rule !== 'code.partly') return rated
  if (codeEffects(code.text, code.language).some(({ paths }) => paths.includes(null)))
    return finding('low', 'files.awk-unknown', 'awk reads files with computed names', 'unknown')
  if (has('-i', '--include')) return finding('medium', 'files.awk', 'awk rewrites files in place')
  return code.known
    ? finding('none', 'files.awk', 'awk only prints')
    : finding('low', 'files.awk-unknown', 'awk runs code that is partly unknown', 'unknown')
}

/** Start-up commands of editors that run a program. */
const RUNS =
  /!|\bsystem\s*\(|\bshell-command|call-process|start-process|make-process|delete-file|delete-directory|\bpython3?\b|\blua\b|:source|\bterm\b|\bperl\b|\bruby\b/
const EDITS = /^(?:-c|--cmd|-S|-s|--eval|-eval|-f|--funcall|-l|--load|--script|-u|-W|-q)$/

/** Editors: a start-up command can run anything. */
export const assessEditor: Assess = ({ part, program }) => {
  const commands = part.args.flatMap(({ value, text }, at) => {
    const before = part.args[at - 1]?.value ?? ''
    if (EDITS.test(before)) return [value ?? text]
    return (value ?? '').startsWith('+') ? [value ?? ''] : /^--?(?:eval|cmd)=/.test(value ?? '') ? [value ?? ''] : []
  })
  if (
    commands.some((command) => RUNS.test(command)) ||
    part.args.some(({ value }) => value === '-S' || value === '--script' || value === '-l')
  )
    return finding('high', 'files.editor-powers', `${program} runs a given program or script`, 'unknown')
  if (part.stdin.kind !== 'none' && /^(?:ed|ex)$/.test(program)) {
    const text = part.stdin.kind === 'literal' ? part.stdin.text : '!'
    return /^\s*(?:\d*\s*[!rwe]\s*!|!)/m.test(text)
      ? finding('high', 'files.editor-powers', `${program} runs commands from its input`, 'unknown')
      : finding('medium', 'files.editor', `${program} rewrites a file`)
  }
  return commands.length > 0
    ? finding('medium', 'files.editor', `${program} edits files without interaction`)
    : finding('medium', 'files.editor', `${program} opens an editor`, 'yes')
}

/** Graphical editors: they only open files; extensions are third-party code. */
export const assessWindowEditor: Assess = ({ part, program }) => {
  if (anyFlag(part, '--install-extension'))
    return finding('medium', 'files.editor-extension', `${program} installs an extension`, 'yes')
  if (anyFlag(part, '--uninstall-extension'))
    return finding('medium', 'files.editor-extension', `${program} removes an extension`)
  if (part.args[0]?.value === 'tunnel' || part.args[0]?.value === 'serve-web')
    return finding('high', 'network.tunnel', `${program} exposes this machine to the network`, 'yes')
  return finding('low', 'files.editor', `${program} opens an editor`)
}
