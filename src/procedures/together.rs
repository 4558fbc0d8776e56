//! Several futures at once. What waits for them is compiled once, whatever they come to: each fills a place of its own.

use futures_util::future::{LocalBoxFuture, join_all};
use std::future::Future;

/// Comes out with all results in the order given.
pub(super) async fn together<F: Future>(all: impl Iterator<Item = F>) -> Vec<F::Output> {
    let mut found = Vec::new();
    join_all(filling(&mut found, all.collect())).await;
    found.into_iter().flatten().collect()
}

/// The same futures as ones that put their results there, in the order given.
pub(super) fn filling<'a, F: Future + 'a>(
    found: &'a mut Vec<Option<F::Output>>,
    all: Vec<F>,
) -> Vec<LocalBoxFuture<'a, ()>> {
    found.resize_with(all.len(), || None);
    let fill = |(place, future): (&'a mut Option<F::Output>, F)| -> LocalBoxFuture<'a, ()> {
        Box::pin(async move { *place = Some(future.await) })
    };
    found.iter_mut().zip(all).map(fill).collect()
}
