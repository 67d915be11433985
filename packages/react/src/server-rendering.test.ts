import { createElement, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { ApprovalDialog, ApprovalsProvider, approvalOfPart, httpSource, useApprovals } from './index.ts'

function Held(): ReactNode {
  const { held, link, canDecide } = useApprovals()
  return `${held.length} held, ${link}, ${canDecide ? 'decides' : 'waits'}`
}

describe('server rendering', () => {
  it('renders the provider without calls, unable to decide', () => {
    const props = { source: httpSource({ key: async () => null }), children: createElement(Held) }
    expect(renderToString(createElement(ApprovalsProvider, props))).toBe('0 held, connecting, waits')
  })

  it.each([null, approvalOfPart({ type: 'tool-x', input: {}, approval: { id: '1' } })])(
    'renders no dialog',
    (approval) => {
      const dialog = createElement(ApprovalDialog, { approval, onAnswer: () => {}, onClose: () => {} })
      expect(renderToString(dialog)).toBe('')
    },
  )
})
