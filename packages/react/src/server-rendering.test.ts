import { createElement, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { ApprovalDialog, ApprovalsProvider, approvalOfPart, httpSource, useApprovals } from './index.ts'

function Held(): ReactNode {
  const { held, link, canDecide } = useApprovals()
  return `${held.length} held, ${link}, ${canDecide ? 'decides' : 'waits'}`
}

describe('drawn on a server', () => {
  it('the provider knows of no call yet, and decides nothing', () => {
    const props = { source: httpSource({ key: async () => null }), children: createElement(Held) }
    expect(renderToString(createElement(ApprovalsProvider, props))).toBe('0 held, connecting, waits')
  })

  it.each([null, approvalOfPart({ type: 'tool-x', input: {}, approval: { id: '1' } })])(
    'the dialog is not there yet',
    (approval) => {
      const dialog = createElement(ApprovalDialog, { approval, onAnswer: () => {}, onClose: () => {} })
      expect(renderToString(dialog)).toBe('')
    },
  )
})
