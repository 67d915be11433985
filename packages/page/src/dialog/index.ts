/**
 * The approval dialog of a gate in a page, for React apps and plain pages.
 * @module
 */

export { mountApprovals } from './mount-approvals.tsx'
export { PageApprovals, type PageApprovalsProps } from './page-approvals.tsx'
export { pageSource } from './page-source.ts'
