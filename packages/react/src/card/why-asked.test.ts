import { openedView } from '@countersign/testing/gate/opened-view'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { fullReasons, WhyAsked } from './why-asked.tsx'

const { view } = openedView({})
const drawn = (shown: typeof view): string => renderToStaticMarkup(createElement(WhyAsked, { view: shown }))

describe('the reasons on a card', () => {
  it('name the rule, its location and the matched condition', () => {
    const verdict = { ...view.verdict, condition: 'kind: write, path: { inside: ${workspace} }' }
    expect(drawn({ ...view, verdict })).toMatch(/project-writes.*policy\.yaml:12.*kind: write, path: \{ inside: /)
  })

  it('count the omitted ones, and the details list everything', () => {
    const many = Array.from({ length: 12 }, (_, at) => at)
    const verdict = {
      ...view.verdict,
      reasons: many.map((at) => `reason ${at}`),
      contributors: many.map((at) => ({ id: `rule-${at}`, layer: 'user', file: 'policy.yaml', line: at }) as const),
    }
    const risk = {
      ...view.risk,
      reasons: many.map((at) => ({ level: 'high', rule: 'x', text: `risk ${at}` }) as const),
    }
    const shown = { ...view, verdict, risk }
    expect(drawn(shown).match(/and 4 more in the details/g)).toHaveLength(3)
    const whole = fullReasons(shown)?.join('\n') ?? ''
    for (const at of many)
      for (const word of ['reason', 'rule', 'risk']) expect(whole).toMatch(new RegExp(`${word}[ -]${at}\\b`))
    expect(fullReasons(view)).toBeNull()
  })
})
