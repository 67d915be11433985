import type { Finding } from '@countersign/core'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Findings } from './findings.tsx'

const finding = (checker: string, status: Finding['status']): Finding => ({
  checker,
  status,
  message: `about ${checker}`,
  overridable: false,
})

/** The list as text, with and without the content of closed lines. */
function drawn(...findings: readonly Finding[]): { readonly short: string; readonly whole: string } {
  const html = renderToStaticMarkup(createElement(Findings, { findings, request: '{}' }))
  const text = (markup: string) => markup.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
  return { short: text(html.replace(/<\/summary>.*?<\/details>/gs, '')), whole: text(html) }
}

describe('the checks on a card', () => {
  it('share one line if they passed, after the others', () => {
    const { short, whole } = drawn(
      finding('backup', 'pass'),
      finding('size', 'skip'),
      finding('secrets', 'fail'),
      finding('disk', 'pass'),
    )
    expect(short).toMatch(/✖ fail: secrets about secrets.* size about size ✔ pass: backup, disk $/)
    expect(whole).toMatch(/backup, disk .*backup about backup.*disk about disk/)
  })

  it('keep a line of their own otherwise', () => {
    const { short } = drawn(finding('backup', 'pass'), finding('secrets', 'warn'), finding('disk', 'fail'))
    expect(short).toMatch(/✖ fail: disk about disk ! warn: secrets about secrets ✔ pass: backup about backup $/)
  })
})
