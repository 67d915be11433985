import { type ArithmeticExpression, forEachChild, type SyntaxNode } from 'unbash'
import { VARIABLES } from '../../knowledge/compiled/commands.ts'

/** A name that bash and the programs it starts give no meaning: their own are in capitals. */
const OWN = /^(?:[a-z][A-Za-z0-9_]*|[A-Z])$/
/** Variables in small letters with a meaning for programs, for bash, or for zsh, where a host may run the command. */
const TAKEN =
  /^(?:auto_resume|histchars|[a-z]+_proxy|npm_.*|(?:cd|f|man|mail|module_)?path|fignore|psvar|watch|argv|status|prompt|options|functions(?:_.*)?|.?aliases(?:_.*)?|dis_.*|commands|builtins|reswords|history(?:words)?|parameters|modules|signals|nameddirs|userdirs|dirstack|job(?:dirs|texts|states)|pipestatus|keymaps|widgets|terminfo|termcap|zsh_.*)$/

/** Whether a command may set a variable without changing what any program does, beyond how it prints. */
export function isOwnName(name: string): boolean {
  return (OWN.test(name) && !TAKEN.test(name)) || VARIABLES.harmless.has(name)
}

/** Variables in capitals with a meaning for a shell, the system's library or the programs that `isPlainName` is asked for. */
const MEANT = new RegExp(`^(?:${[...VARIABLES.meant].join('|')})$`)

/** Whether shells and the programs of `plain_environment` give a name in capitals no meaning. */
export function isPlainName(name: string): boolean {
  return /^[A-Z][A-Z0-9_]+$/.test(name) && !MEANT.test(name) && !isListed(name)
}

function isListed(name: string): boolean {
  return VARIABLES.injecting.has(name) || VARIABLES.redirecting.has(name) || VARIABLES.public.has(name)
}

const STEERS =
  /^(?:LD|DYLD)_|^BASH_|^GIT_(?:CONFIG|SSH|PROXY|EXEC|EXTERNAL|TEMPLATE|PAGER|EDITOR|ASKPASS|SEQUENCE|DIR|WORK_TREE)|^npm_|_proxy$/i

/** Whether a variable that is set in the environment changes what programs run or where they look. */
export function isTakenByPrograms(name: string): boolean {
  return isListed(name) || STEERS.test(name)
}

const ASSIGNS = /^(?:[-+*/%&|^]|<<|>>)?=$/
const NAME = /^[A-Za-z_]\w*$/
/** Builtins whose words name variables that they set. */
const SETTERS: ReadonlySet<string> = new Set(
  'read mapfile readarray getopts unset declare typeset local export readonly printf let'.split(' '),
)

const NONE: readonly SyntaxNode[] = []
/** Builtins that change the positional parameters, which are called `@` here. */
const POSITIONAL: ReadonlySet<string> = new Set(['set', 'shift', 'getopts'])

/** The variables that code may set: to numbers only, or to anything. */
export function writtenNames(node: SyntaxNode): Map<string, 'number' | 'data'> {
  const names = new Map<string, 'number' | 'data'>()
  const write = (name: string, kind: 'number' | 'data'): void => {
    if (kind === 'data' || !names.has(name)) names.set(name, kind)
  }
  const stack: SyntaxNode[] = [node]
  for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
    switch (one.type) {
      case 'Assignment': {
        const { value } = one
        const isNumber =
          one.append !== true &&
          one.index === undefined &&
          value.type === 'Word' &&
          value.parts?.length === 1 &&
          value.parts[0]?.type === 'ArithmeticExpansion'
        write(one.name, isNumber ? 'number' : 'data')
        break
      }
      case 'For':
      case 'Select':
        write(one.name.value, 'data')
        break
      case 'ArithmeticBinary':
        if (ASSIGNS.test(one.operator)) computed(one.left, write)
        break
      case 'ArithmeticUnary':
        if (one.operator === '++' || one.operator === '--') computed(one.operand, write)
        break
      case 'ParameterExpansion':
        if (one.operation?.type === 'Default' && one.operation.operator.endsWith('=')) write(one.parameter, 'data')
        break
      case 'FileDescriptorVariable':
        write(one.name, 'data')
        break
      case 'Command':
        if (POSITIONAL.has(one.name?.value ?? '')) write('@', 'data')
        // Each name among the words: too many do no harm.
        if (SETTERS.has(one.name?.value ?? ''))
          for (const arg of one.args)
            for (const name of arg.type === 'Word' ? (arg.value.match(/[A-Za-z_]\w*/g) ?? []) : [])
              if (isOwnName(name)) write(name, 'data')
        break
      default:
        break
    }
    const before: readonly SyntaxNode[] = one.type === 'Command' && one.name !== undefined ? one.prefix : NONE
    forEachChild(one, (child) => {
      // An assignment before a command is gone after it.
      if (child.type === 'Assignment' && before.includes(child))
        forEachChild(child, (inner) => {
          stack.push(inner)
        })
      else stack.push(child)
    })
  }
  return names
}

function computed(target: ArithmeticExpression, write: (name: string, kind: 'number') => void): void {
  if (target.type === 'ArithmeticWord' && NAME.test(target.value.trim())) write(target.value.trim(), 'number')
}
