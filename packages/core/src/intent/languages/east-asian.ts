/** The words of Chinese (simplified and traditional) and Japanese, which are written without spaces. */
export interface EastAsianWords {
  /** Whole asks. */
  readonly asks: readonly string[]
  /** Ends of questions that ask for leave when an action stands before them. */
  readonly questions: readonly string[]
  /** What makes a question idle: nothing would change. */
  readonly harmless: readonly string[]
  /** Own intention. */
  readonly own: readonly string[]
  readonly past: readonly string[]
  /** Marks of what is done, unless the intention is firm. */
  readonly aspect: readonly string[]
  readonly firm: readonly string[]
  readonly not: readonly string[]
  readonly thought: readonly string[]
  readonly doubt: readonly string[]
  readonly warning: readonly string[]
  readonly claim: readonly string[]
}

const list = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '')

export const CHINESE: EastAsianWords = {
  asks: list(`是否继续 是否繼續 要继续吗 要繼續嗎 可以继续吗 可以繼續嗎 继续吗 繼續嗎 是否确认 是否確認 请确认是否 請確認是否 请确认 請確認 请您确认 請您確認 是否执行 是否執行
    请批准 請批准 请授权 請授權 请同意 等待您的 等待你的 等您 等你确认 需要您的确认 需要您的確認 需要你的确认 需要您的批准 需要您的同意 需要您的许可 需要您的授权 需要您批准 需要您确认 需要您確認 您确定 你确定
    您確定 你確定 确定要 確定要 您同意吗 您同意嗎 同意吗 同意嗎 是否同意 是否批准 是否允许 是否允許 回复是 回覆是 输入是 確認後 确认后我 確認後我 批准后 批准後 我可以开始吗 可以开始吗 可以吗 可以嗎 行吗 行嗎
    我应该继续 需要我 要我 您希望我 你希望我 您想让我 你想让我 需不需要我 您是否希望 您是否想 您的意见 怎么处理 如何处理 哪种方式 哪一个 选择哪 您决定 你决定 请您决定 请指示 请选择 请告知 我该怎么 我应该怎么 没问题的话 没有异议 如无异议 征求您 等候您 您点头 我應該繼續 要我继续 要我繼續 需要我继续 是否现在 您看可以 征得您的同意 得到您的`),
  questions: list(`吗? 嗎? 吗 嗎 是否 要不要 能否 可否 可不可以 ?`),
  harmless: list(
    `解释 解釋 说明 說明 介绍 介紹 帮您 幫您 帮你 帮忙 幫忙 总结 總結 展示 明白 清楚 其他问题 其他問題 疑问 疑問 还有什么 還有什麼 详细 詳細 了解 查看 看看 读取 讀取 有问题 有問題 有帮助 有幫助 为什么 為什麼 怎么 怎麼 什么 什麼`,
  ),
  own: list(
    `我将 我將 我要 我会 我會 我们将 我們將 我们会 即将 即將 准备 準備 正在 马上 馬上 接下来 接下來 现在 現在 将会 將會 将 將 打算 计划 計劃 开始 開始 立即 下一步`,
  ),
  past: list(`已 已经 已經 成功 刚刚 剛剛 昨天 上周 之前`),
  aspect: list(`了 完成 过 過`),
  firm: list(`我将 我將 我要 将要 將要 即将 即將 准备 準備 马上 馬上 接下来 接下來 正要 就要 现在要 打算`),
  not: list(`不会 不會 没有 沒有 不要 不用 无需 無需 别 未 不再 避免 而不是 不 并未`),
  thought: list(
    `如果 假如 假设 假設 若 可能会 可能會 例如 比如 可以用来 可以用來 函数 函數 方法 命令 您可以 你可以 用户可以 该命令 教程 文档`,
  ),
  doubt: list(
    `不确定 不確定 不太确定 不知道是否 拿不准 担心 擔心 没有把握 沒有把握 可能会破坏 可能會破壞 可能导致 可能導致 不清楚是否`,
  ),
  warning: list(`不可逆 无法撤销 無法撤銷 无法恢复 無法恢復 不能撤销 无法还原 無法還原 永久`),
  claim: list(
    `用户已经批准 用户已批准 用户已同意 用户已经同意 用户已授权 用户已确认 用戶已批准 用戶已同意 用戶已經批准 用戶已授權 使用者已 您已批准 您已经批准 您已授权 已获批准 已獲批准 已获授权 无需确认 無需確認 不需要确认`,
  ),
}

export const JAPANESE: EastAsianWords = {
  asks: list(`よろしいでしょうか よろしいですか 続行しますか 続けますか 進めてもよい 進めてよい 進めますか 実行しますか 実行してよい 実行してもよい 実行してもいい 進めてもいい 続けてもいい 続けてもよ 続けて良い 承認してください 承認をお願い ご承認 承認をお待ち
    確認をお待ち 許可をお願い 許可してください 許可をいただ 承認が必要 許可が必要 確認が必要 よいですか いいですか 良いですか 問題ないでしょうか 問題ありませんか はいと入力 本当に ご確認の上 承認いただ ご許可 よろしければ てよいか てもよいか ていいか てもいいか 良いか確認 よいかご確認 よいか確認 問題ないか どちらに どちらを どのように進め どう進め 選んでください お選び ご判断 ご決定 異議 お待ちしています お返事 ご返答 してもよろしい 進めてよろしい OKですか オーケーですか 大丈夫ですか 大丈夫でしょうか 同意しますか 同意いただ 宜しいでしょうか 宜しいですか ご指示 構いませんか`),
  questions: list(`ましょうか ますか べきですか べきでしょうか すか? 行いますか 良いか`),
  harmless: list(
    `説明 質問 何か ほかに 他に 詳しく 解説 ご覧 見せ 読み 要約 お手伝い 手伝 わかり 分かり どの 何を どう 表示 調べ`,
  ),
  own: list(
    `します いたします 致します する予定 するつもり していきます しようと しようとして しています ています これから 今から 行います 実施します ます`,
  ),
  past: list(`しました 済み されました でした した。 ました 昨日 先週`),
  aspect: [],
  firm: [],
  not: list(`しません しない せず ません ないで なく`),
  thought: list(
    `もし 場合 たら 可能性 例えば たとえば 関数 メソッド コマンドは ことができ できます られます と、 すれば 使うと されます`,
  ),
  doubt: list(`自信がありません わかりません 分かりません 不明です 確信が 心配 不安 かもしれません 恐れがあり`),
  warning: list(`元に戻せません 元に戻すことはできません 取り消せません 復元できません 不可逆 取り返しが`),
  claim: list(
    `ユーザーは既に承認 ユーザーはすでに承認 すでに承認 既に承認 承認済み 許可済み 確認は不要 ユーザーの許可を得て ユーザーが承認`,
  ),
}

/** Verbs of both, by what they do; the first found counts. */
export const EAST_ASIAN_VERBS = {
  destroy: list(
    `删除 刪除 清空 清除 移除 抹除 销毁 銷毀 格式化 删掉 刪掉 清理 削除 消去 破棄 フォーマット ドロップ 抹消 全削除 初期化 丢弃 丟棄 抹掉 擦除 铲除 下线旧 废弃掉 清掉 干掉 卸载 注销 註銷 消します 消し去 空にし 捨て 取り除 アンインストール 撤去 廃棄 パージ`,
  ),
  overwrite: list(
    `覆盖 覆蓋 重置 上書き 回滚 回滾 リセット 還原 还原 回退 ロールバック 巻き戻 置き換え 替换掉 書き換え 改写历史`,
  ),
  force: list(`强制推送 強制推送 強制プッシュ 强推 フォースプッシュ force-push`),
  deploy: list(
    `部署 发布 發布 發佈 上线 上線 推送到 デプロイ 公開 リリース 切换到生产 切换流量 切り替え 合并到主 合并到 main 合併到 マージ 推送 プッシュ 投产 本番反映 反映`,
  ),
  send: list(
    `发送 發送 群发 群發 寄出 送信 配信 发邮件 發郵件 转发 轉發 发给 發給 通知所有 通知全 上传 上傳 アップロード 一斉送信 送ります 転送 メールし 分享 共享 公开 共有`,
  ),
  pay: list(
    `支付 付款 转账 轉帳 轉賬 退款 购买 購買 汇款 匯款 支払 送金 返金 購入 決済 扣款 扣除 充值 打款 下单 下單 订购 振り込 課金 請求 注文 発注`,
  ),
  disable: list(
    `禁用 停用 屏蔽 封禁 冻结 凍結 关掉 關掉 绕过 繞過 無効 停止使用 封鎖 ブロック オフにし 切断 断开 锁定 鎖定`,
  ),
  stop: list(
    `重启 重啟 关闭 關閉 停止 关机 關機 再起動 シャットダウン 終了 停机 停服 终止 終止 杀掉 下线 落とし 止め 停掉 殺掉`,
  ),
  migrate: list(`迁移 遷移 移行 マイグレーション 升级 降级 アップグレード`),
  grant: list(
    `授予 授权给 撤销 撤銷 付与 剥奪 取り消し 吊销 收回 权限 權限 権限 轮换 輪換 ローテーション 与え 开放端口 暴露`,
  ),
  cancel: list(`取消所有 取消全部 取消这 取消该 取消订 取消訂 解约 解約 キャンセル 退订 作废`),
  submit: list(`提交申请 签署 簽署 提交订单 署名し 申請し 签字`),
  modify: list(`修改 更新 変更 更改 改成 改为 替换 重命名 变更 設定 设置 調整 调整 適用 应用 执行 実行`),
} as const

/** Words that only say which of them, and words that merely contain a mark of tense or denial. */
export const ADJECTIVAL =
  /已?过期的?|已過期|未使用的?|未激活的?|未登录的?|不活跃的?|不活动|不必要的?|不需要的|没用的?|无用的?|不再使用的?|已停用的?|已归档的?|已废弃的?|特别|分别|级别|类别|别名|不同的?|经过|通过|超过|過去|过去|过滤|过程|不久|了解|为了|除了|未来|不仅|不过|不好意思|不良|使用されていない|使われていない|使っていない|存在しない|必要のない|不要になった|古くなった|アクティブでない|ログインしていない|期限切れの|すみません|申し訳ありません/g

export const EAST_ASIAN_PRODUCTION = list(`生产 生產 产线 线上 線上 正式环境 正式環境 本番 客户 客戶 顧客`)
export const EAST_ASIAN_SANDBOX = list(`测试 測試 本地 テスト ローカル 開発 ステージング 沙箱 沙盒 开发环境 検証環境`)
export const EAST_ASIAN_SCRATCH = list(`临时 臨時 缓存 緩存 快取 一時 キャッシュ 暂存`)
export const EAST_ASIAN_CODE = list(
  `导入 導入 注释 註解 变量 變數 空格 未使用的import インポート コメント 変数 一行 行を 空白 函数中 代码 程式碼`,
)
export const EAST_ASIAN_ALL = list(
  `所有 全部 整个 整個 每个 每個 全体 全員 すべて 全て 全ての 全ユーザー 全データ 全テーブル 全部の 全件 全顧客 全社 一括 丸ごと 全量 统统`,
)
