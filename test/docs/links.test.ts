/** Every link to a repository file must resolve, and every `#anchor` to a heading. */
import { existsSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PAGES, pageText, ROOT } from './pages.ts'

interface Link {
  readonly page: string
  readonly to: string
}

function withoutCode(text: string): string {
  return text.replace(/^```.*?^```$/gms, '').replace(/`[^`\n]*`/g, '')
}

const links: readonly Link[] = PAGES.flatMap((page) =>
  [...withoutCode(pageText(page)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, to = '']) => ({ page, to }))
    .filter(({ to }) => !/^[a-z]+:/.test(to)),
)

/** The anchor of a heading, as code hosts generate it. */
function anchorsOf(page: string): readonly string[] {
  return [
    ...pageText(page)
      .replace(/^```.*?^```$/gms, '')
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  )
}

const FOLDERS = [
  '.',
  'packages/core/src',
  'packages/node/src',
  'packages/cli/src',
  'packages/cli/src/prompt',
  'packages/terminal/src/card',
  'docs/reference',
  'docs/guides',
]

/** Files that a page names in code, such as `call/freeze.ts`. */
const named = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md'].flatMap((page) =>
  [...pageText(page).matchAll(/`((?:[\w.-]+\/)*[\w-][\w.-]*\.(?:ts|md|yaml|json|db))`/g)].map(([, file = '']) => ({
    page,
    file,
  })),
)
/** Files of a home, not of the repository. */
const ELSEWHERE = [
  'notify.yaml',
  'subscriptions.json',
  'store.json',
  'policy.yaml',
  'draft.yaml',
  'store.db',
  'approvers.json',
  'recovery.json',
  'trust.json',
]

describe('links in the documentation', () => {
  it('name only existing files', () => {
    expect(named.length).toBeGreaterThan(30)
    const missing = named.filter(
      ({ file }) => !ELSEWHERE.includes(file) && !FOLDERS.some((folder) => existsSync(join(ROOT, folder, file))),
    )
    expect(missing).toEqual([])
  })

  it.each(links)('$page → $to', ({ page, to }) => {
    const [path = '', anchor] = to.split('#')
    const target = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path))
    expect(existsSync(join(ROOT, target))).toBe(true)
    if (anchor === undefined) return
    expect(statSync(join(ROOT, target)).isFile()).toBe(true)
    expect(anchorsOf(target)).toContain(anchor)
  })

  it('reach every page from the README', () => {
    const reached = new Set(['README.md'])
    for (const page of reached) {
      for (const { to } of links.filter((link) => link.page === page)) {
        const target = relative(ROOT, join(ROOT, dirname(page), to.split('#')[0] ?? ''))
        if (PAGES.includes(target)) reached.add(target)
      }
    }
    expect(PAGES.filter((page) => !reached.has(page))).toEqual([])
  })
})
