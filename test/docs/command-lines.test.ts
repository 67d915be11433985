/**
 * Command lines in the documentation. `sh` blocks: the command must understand each `countersign` line.
 * `console` blocks: `$` lines run in an empty folder and home per page, and must print the lines after them.
 */

import { hasBubblewrap } from '@countersign/testing/contain/bubblewrap'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { EXIT } from '../../packages/cli/src/terminal/exit-codes.ts'
import { decompose } from '../../packages/core/src/command/decompose.ts'
import { isAsShown, openConsole } from './console.ts'
import { objectionTo, unknownIn } from './documented-command.ts'
import { type Block, blocksIn, blocksOf, PAGES, pageText } from './pages.ts'

const PATIENCE_MS = 120_000

/** The words after each `countersign` in a shell line. */
function ourCommands(line: string): readonly (readonly string[])[] {
  return decompose(line).parts.flatMap(({ program, args, via }) =>
    program === 'countersign' && via.every((one) => one === 'npx')
      ? [args.map(({ text, value }) => value ?? text)]
      : [],
  )
}

const shellLines = blocksIn('sh').flatMap(({ page, text }) =>
  text.split('\n').flatMap((line) => ourCommands(line).map((words) => ({ page, line, words }))),
)
const mentions = PAGES.flatMap((page) =>
  [...pageText(page).matchAll(/(?<![`\w])`countersign ([^`\n]+)`/g)].map(([, line = '']) => ({
    page,
    line,
    words: (line.match(/'[^']*'|\S+/g) ?? []).filter((word) => !/[<[…|>]/.test(word)),
  })),
)
/** On this page commands run in the sandbox. */
const SANDBOX_PAGE = 'docs/guides/unasked.md'
const lacksSandbox = !hasBubblewrap() && process.env['CI'] !== 'true'
const consolePages = PAGES.filter((page) => blocksOf(page).some(({ language }) => language === 'console')).filter(
  (page) => page !== SANDBOX_PAGE || !lacksSandbox,
)

describe('command lines in the documentation', () => {
  it('exist', () => {
    expect(shellLines.length).toBeGreaterThan(10)
    expect(mentions.length).toBeGreaterThan(10)
    expect(consolePages).toEqual(expect.arrayContaining(['docs/guides/policy.md', 'docs/guides/terminal.md']))
  })

  it.each(shellLines)('parse: `$line` of $page', { timeout: PATIENCE_MS }, async ({ words }) => {
    expect(await objectionTo(words)).toBeNull()
  })

  it('mention only existing commands and flags', async () => {
    const unknown = await Promise.all(
      mentions.map(async ({ page, line, words }) => ({ page, line, unknown: await unknownIn(words) })),
    )
    expect(unknown.filter((one) => one.unknown.length > 0)).toEqual([])
  })

  it.each(consolePages)('print what %s shows', { timeout: PATIENCE_MS }, async (page) => {
    const console = openConsole(temporaryFolder())
    for (const block of blocksOf(page)) {
      if (block.path !== '' && block.language !== 'console') console.write(block)
      if (block.language === 'console') await typeAll(console, block)
    }
  })
})

async function typeAll(console: ReturnType<typeof openConsole>, block: Block): Promise<void> {
  for (const { command, expected, printed } of await console.type(block)) {
    const isRight = isAsShown(printed, expected)
    expect({ at: `${block.page}:${block.line}`, command, printed: isRight ? expected : printed }).toEqual({
      at: `${block.page}:${block.line}`,
      command,
      printed: expected,
    })
  }
}

function codesOn(page: string): readonly { readonly code: number; readonly name: string }[] {
  return [...pageText(page).matchAll(/^\| (\d+) \| (\w+) \|/gm)].map(([, code = '', name = '']) => ({
    code: Number(code),
    name,
  }))
}

describe('the exit codes in the documentation', () => {
  it('match those of the command', () => {
    const all = Object.values(EXIT).map(({ code, name }) => ({ code, name }))
    expect(codesOn('docs/reference/cli.md')).toEqual(all)
    expect(codesOn('docs/guides/terminal.md')).toEqual(all.filter(({ code }) => code >= 120))
  })
})
