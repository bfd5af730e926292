package io.millrace.docs.tidy;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.DoWhileLoopTree;
import com.sun.source.tree.EnhancedForLoopTree;
import com.sun.source.tree.ForLoopTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.SwitchExpressionTree;
import com.sun.source.tree.SwitchTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.tree.TryTree;
import com.sun.source.tree.WhileLoopTree;
import com.sun.source.util.TreeScanner;

/** How deep control structures nest in one method; an else-if chain counts once, a nested class for itself. */
final class Nesting extends TreeScanner<Void, Integer> {
    private int deepest;

    private Nesting() {}

    static int of(MethodTree method) {
        Nesting nesting = new Nesting();
        nesting.scan(method.getBody(), 0);
        return nesting.deepest;
    }

    private int enter(int depth) {
        deepest = Math.max(deepest, depth + 1);
        return depth + 1;
    }

    @Override
    public Void visitIf(IfTree node, Integer depth) {
        int inside = enter(depth);
        scan(node.getCondition(), depth);
        scan(node.getThenStatement(), inside);
        StatementTree otherwise = node.getElseStatement();
        return scan(otherwise, otherwise instanceof IfTree ? depth : inside);
    }

    @Override
    public Void visitForLoop(ForLoopTree node, Integer depth) {
        return super.visitForLoop(node, enter(depth));
    }

    @Override
    public Void visitEnhancedForLoop(EnhancedForLoopTree node, Integer depth) {
        return super.visitEnhancedForLoop(node, enter(depth));
    }

    @Override
    public Void visitWhileLoop(WhileLoopTree node, Integer depth) {
        return super.visitWhileLoop(node, enter(depth));
    }

    @Override
    public Void visitDoWhileLoop(DoWhileLoopTree node, Integer depth) {
        return super.visitDoWhileLoop(node, enter(depth));
    }

    @Override
    public Void visitSwitch(SwitchTree node, Integer depth) {
        return super.visitSwitch(node, enter(depth));
    }

    @Override
    public Void visitSwitchExpression(SwitchExpressionTree node, Integer depth) {
        return super.visitSwitchExpression(node, enter(depth));
    }

    @Override
    public Void visitSynchronized(SynchronizedTree node, Integer depth) {
        return super.visitSynchronized(node, enter(depth));
    }

    @Override
    public Void visitTry(TryTree node, Integer depth) {
        return super.visitTry(node, enter(depth));
    }

    @Override
    public Void visitClass(ClassTree node, Integer depth) {
        return null;
    }
}
