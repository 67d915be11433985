import { type Command, forEachChild, parse, type Redirection, type SyntaxNode } from 'unbash'

/** A simple command as found by the parser alone. */
export interface FoundCommand {
  readonly name: string | null
  readonly words: readonly string[]
  readonly targets: readonly string[]
}

/**
 * The floor of an assessment: a parse that finds every command name, decoded word and redirection target, including
 * nested scripts. The parser is lazy: `parse` alone leaves words undecoded and substitutions unparsed, so it does not
 * tell what a command runs. This is the simplest complete parse: one stack, each node visited once, nothing resolved
 * or judged.
 */
export function readCommands(source: string): readonly FoundCommand[] {
  const found: FoundCommand[] = []
  const stack: SyntaxNode[] = [parse(source)]
  const visit = (child: SyntaxNode): void => {
    stack.push(child)
  }
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === 'Command') found.push(readCommand(node))
    else if (node.type === 'Redirected') found.push({ name: null, words: [], targets: targetsOf(node.redirects) })
    forEachChild(node, visit)
  }
  return found
}

function readCommand({ name, args, redirects }: Command): FoundCommand {
  const words: string[] = []
  for (const word of args) words.push(word.type === 'Word' ? word.value : word.text)
  return { name: name?.value ?? null, words, targets: targetsOf(redirects) }
}

function targetsOf(redirects: readonly Redirection[]): readonly string[] {
  const targets: string[] = []
  for (const redirect of redirects)
    if (redirect.type !== 'HereDoc' && redirect.target !== undefined) targets.push(redirect.target.value)
  return targets
}
